import { z } from "zod";
import { presets } from "../store/agent-payload.ts";
import { Network } from "./network-config.ts";

const alias = z.string().min(1).max(64);

/** In seconds: two weeks. A timer can wait for 24 days at most. */
const MAX_TIMEOUT = 14 * 24 * 60 * 60;

/** One entry of `agents`: a kind of loop (`adapter`), a program (`command`) or a workflow. `agentProblems` says what goes with what. */
export const AgentConfig = z.strictObject({
  adapter: z
    .enum(["react", "llm", "designer"])
    .optional()
    .describe(
      "Of uwf's own agents: `react`, the loop of model and tools; `llm`, one reply without tools; or `designer`, which plays the workflow `design`.",
    ),
  model: alias
    .optional()
    .describe("The model that an agent with an `adapter` always asks, by its name under `models`."),
  command: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("The program that plays: its name on the search path, or an absolute path."),
  args: z.array(z.string()).optional().describe("What the program is given before its thread and role."),
  env: z
    .array(z.string())
    .optional()
    .describe(
      "Variables of uwf's environment, or of its `.env`, that the program gets besides the usual ones, by name.",
    ),
  timeoutSeconds: z
    .number()
    .positive()
    .max(MAX_TIMEOUT)
    .optional()
    .describe("How long the program may take for one step. Default: 1800"),
  protocol: z
    .enum(["meta", "step", "text"])
    .optional()
    .describe(
      "How the program is called and answers: `meta`, the output as JSON; `step`, the step that it stored; `text`, a text. Default: `text` with a preset, else `meta`",
    ),
  preset: z
    .enum(presets)
    .optional()
    .describe("The known coding agent that the program is, whose command line is used. For `text`."),
  sandbox: z
    .enum(["thread", "none"])
    .optional()
    .describe(
      "Where the program runs: `thread`, in the thread's sandbox; `none`, as uwf's user, which `meta` and `step` need. Default: `thread` for `text`, else `none`",
    ),
  network: Network.optional().describe(
    'Hosts and presets that the program reaches in the sandbox, beside those of its preset and the addresses in its `args` and `env`; `["*"]`: whatever this machine can.',
  ),
  workflow: alias.optional().describe("The workflow that plays, as a thread of its own, by its name."),
});
export type AgentConfig = z.output<typeof AgentConfig>;

/** An agent that is a program, with everything that it does not say filled in. */
export type ProgramConfig = {
  command: string;
  args: string[];
  env: string[];
  timeoutSeconds: number;
  protocol: "meta" | "step" | "text";
  preset: (typeof presets)[number] | null;
  sandbox: "thread" | "none";
  network?: string[];
};

const DEFAULT_TIMEOUT = 1800;

/** The program that plays for this agent; null when it is none. */
export const programOf = ({ command, preset, ...agent }: AgentConfig): ProgramConfig | null => {
  if (command === undefined) return null;
  const protocol = agent.protocol ?? (preset === undefined ? "meta" : "text");
  return {
    command,
    args: agent.args ?? [],
    env: agent.env ?? [],
    timeoutSeconds: agent.timeoutSeconds ?? DEFAULT_TIMEOUT,
    protocol,
    preset: preset ?? null,
    sandbox: agent.sandbox ?? (protocol === "text" ? "thread" : "none"),
    ...(agent.network === undefined ? {} : { network: agent.network }),
  };
};
