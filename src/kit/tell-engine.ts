import { appendFile } from "node:fs/promises";
import type { Word } from "../agents/command/told.ts";
import type { AgentWorld } from "./agent-program.ts";

/** Says something to the engine that runs this program, which counts even if the program fails then. */
export type TellEngine = (word: Word) => Promise<void>;

/** Where no engine runs this program, nobody is told. */
export const tellEngine =
  ({ env }: Pick<AgentWorld, "env">): TellEngine =>
  async (word) => {
    const { UWF_TRACE_FILE: trace } = env;
    if (trace !== undefined && trace !== "") await appendFile(trace, `${JSON.stringify({ uwf: word })}\n`);
  };
