import { DBOS } from "@dbos-inc/dbos-sdk";
import { timed } from "./measurement.ts";
import { type StepRunner, stepText } from "./step-text.ts";

/** DBOS wants its workflows registered once in a process, before it is launched. */
const thread = DBOS.registerWorkflow(
  async (steps: number): Promise<number> => {
    const messages: string[] = [];
    for (;;) {
      const { status, text } = await DBOS.runStep(async () => answer(messages.length + 1, steps), {
        name: "worker",
      });
      messages.push(text);
      if (status === "done") return messages.length;
    }
  },
  { name: "thread" },
);

const answer = (step: number, steps: number): { status: "more" | "done"; text: string } => ({
  status: step < steps ? "more" : "done",
  text: stepText(step),
});

/** The same threads as DBOS workflows, with all settings as they come. Each step is stored before the next begins. */
export const dbosSteps = async (url: string): Promise<StepRunner> => {
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, logLevel: "error" });
  await DBOS.launch();
  return {
    run: ({ steps }) =>
      timed(async () => {
        const taken = await thread(steps);
        if (taken !== steps) throw new Error(`DBOS took ${taken} of ${steps} steps`);
      }),
    close: () => DBOS.shutdown(),
  };
};
