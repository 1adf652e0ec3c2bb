import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { postgresStore } from "../src/store/postgres-store.ts";
import type { PostgresServer } from "../test/rigs/postgres-server.ts";
import { dbosSteps } from "./dbos-steps.ts";
import { type Durability, langgraphSteps } from "./langgraph-steps.ts";
import type { Row } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { type Beside, stepOverhead } from "./step-overhead.ts";
import type { Growth, StepRunner } from "./step-text.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const lengths = [
  { steps: 20, rounds: 30 },
  { steps: 1000, rounds: 1 },
];

/** On the store for many machines, beside LangGraph's saver for the same and DBOS: one server, a database each. */
export const stepsOnPostgres = (): Promise<Row[]> =>
  withPostgres((server) =>
    inTemporaryDirectory((root) =>
      stepOverhead({
        place: " on PostgreSQL",
        lengths,
        open: async () => {
          const store = await postgresStore({ url: await server.database() });
          const uwf = await uwfSteps({ root, store });
          const besides = await othersOn(server);
          return {
            uwf,
            besides,
            close: async () => {
              for (const { close } of [uwf, ...besides.map(({ runner }) => runner)]) await close();
            },
          };
        },
      }),
    ),
  );

const othersOn = async (server: PostgresServer): Promise<Beside[]> => {
  const langgraph = await langgraphOn(await server.database(), "async");
  const durable = await langgraphOn(await server.database(), "sync");
  const dbos = await dbosSteps(await server.database());
  return [
    { name: "LangGraph", runner: langgraph, lengths: [20, 1000], goal: langgraphGoal },
    { name: "LangGraph, as durable,", runner: durable, lengths: [20], goal: () => null },
    { name: "DBOS", runner: dbos, lengths: [20, 1000], goal: (steps) => (steps === 20 ? 0.6 : null) },
  ];
};

const langgraphGoal = (steps: number, history: Growth): number | null => {
  if (steps === 20) return 0.35;
  return steps === 1000 && history === "growing" ? 0.05 : null;
};

/** As it comes (`async`), a step begins before the one before it is stored; with `sync` it waits, as ours does. */
const langgraphOn = async (url: string, durability: Durability): Promise<StepRunner> => {
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  return langgraphSteps(saver, { durability, close: () => saver.end() });
};
