import { join } from "node:path";
import { postgresStore } from "../src/store/postgres-store.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import { alternate, atMost, ms, type Row, timed } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const STEPS = 200;

/** Reading a thread's whole chain with all its answers, as every step's context needs it. */
export const contextOnSqlite = (): Promise<Row[]> =>
  inTemporaryDirectory((root) =>
    contextOf(sqliteStore({ path: join(root, "uwf.db") }), { root, place: "", limitMs: 2 }),
  );

export const contextOnPostgres = (): Promise<Row[]> =>
  withPostgres((server) =>
    inTemporaryDirectory(async (root) => {
      const store = await postgresStore({ url: await server.database() });
      return contextOf(store, { root, place: " on PostgreSQL", limitMs: 5 });
    }),
  );

const contextOf = async (
  store: Store,
  { root, place, limitMs }: { root: string; place: string; limitMs: number },
): Promise<Row[]> => {
  const { run, close } = await uwfSteps({ store, root });
  await run({ steps: STEPS, history: "growing" });
  const [record] = await store.threads({ limit: 1 });
  if (record === undefined) throw new Error("the thread is not there");
  const { context } = await alternate(
    { context: () => timed(() => store.history(record.head)) },
    { rounds: 101, warmUp: 20 },
  );
  await close();
  return [
    {
      measured: `Context of a thread of ${STEPS} steps${place}, 2 kB each`,
      uwf: ms(context),
      beside: "",
      result: ms(context),
      goal: atMost(context, limitMs, `${limitMs} ms`),
    },
  ];
};
