import { join } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { langgraphSteps } from "./langgraph-steps.ts";
import type { Row } from "./measurement.ts";
import { stepOverhead } from "./step-overhead.ts";
import type { Growth, StepRunner } from "./step-text.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const lengths = [
  { steps: 10, rounds: 30 },
  { steps: 20, rounds: 30 },
  { steps: 100, rounds: 9 },
  { steps: 1000, rounds: 3 },
];

/** On the store that needs no server, beside LangGraph's saver for the same. */
export const stepsOnSqlite = (): Promise<Row[]> =>
  inTemporaryDirectory((root) => {
    let opened = 0;
    return stepOverhead({
      place: "",
      lengths,
      open: async () => {
        const at = (file: string): string => join(root, `${++opened}-${file}`);
        const uwf = await uwfSteps({ root, store: sqliteStore({ path: at("uwf.db") }) });
        const langgraph = await langgraphOn(at("langgraph.db"), "NORMAL");
        const durable = await langgraphOn(at("langgraph.db"), "FULL");
        return {
          uwf,
          besides: [
            { name: "LangGraph", runner: langgraph, lengths: [10, 20, 100, 1000], goal },
            // A thousand steps with their history fill gigabytes on the other side: once is enough for that.
            { name: "LangGraph, as durable,", runner: durable, lengths: [10, 20], goal: () => null },
          ],
          close: async () => {
            for (const { close } of [uwf, langgraph, durable]) await close();
          },
        };
      },
    });
  });

const goal = (steps: number, history: Growth): number | null => {
  if (steps === 20) return 0.5;
  return steps === 1000 && history === "growing" ? 0.1 : null;
};

/** As it comes (`NORMAL`), its commits may be lost with the machine's power, ours never; `FULL` is as durable as ours. */
const langgraphOn = async (path: string, synchronous: "NORMAL" | "FULL"): Promise<StepRunner> => {
  const saver = SqliteSaver.fromConnString(path);
  await saver.getTuple({ configurable: { thread_id: "none" } });
  saver.db.pragma(`synchronous = ${synchronous}`);
  return langgraphSteps(saver, { close: async () => void saver.db.close() });
};
