import { processWorld } from "./agent-program.ts";
import { builtinAgentMain } from "./builtin-agent.ts";

/** The program `uwf-builtin`. Ends the process. */
export const runBuiltinAgent = async (): Promise<void> => {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort());
  await builtinAgentMain(processWorld(), controller.signal);
  await new Promise<void>((flushed) => process.stdout.write("", () => flushed()));
  // Idle connections to a model's server would keep the process for seconds.
  process.exit();
};
