import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { lifetime } from "./lifetime.ts";
import { alternate, atMost, ms, type Row, times } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const program = fileURLToPath(new URL("../bin/uwf.js", import.meta.url));

const ROUNDS = 25;
const THREADS = 10;

/** Whole processes beside one that does nothing. The warm-up round fills the compile cache. */
export const processStart = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const store = sqliteStore({ path: join(root, "uwf.db") });
    const { run, close } = await uwfSteps({ store, root });
    for (let thread = 0; thread < THREADS; thread++) await run({ steps: 5, history: "none" });
    await close();
    const env = { ...process.env, UWF_STORAGE_ROOT: root };
    const { empty, help, list } = await alternate(
      {
        empty: () => lifetime(["-e", "0"], env),
        help: () => lifetime([program, "--help"], env),
        list: () => lifetime([program, "thread", "list"], env),
      },
      { rounds: ROUNDS, warmUp: 3 },
    );
    return [
      rowOf("`uwf --help`", { took: help, empty, limit: 1.5 }),
      rowOf(`\`uwf thread list\`, ${THREADS} threads`, { took: list, empty, limit: 2.5 }),
    ];
  });

const rowOf = (
  measured: string,
  { took, empty, limit }: { took: number; empty: number; limit: number },
): Row => ({
  measured,
  uwf: ms(took),
  beside: `\`node -e 0\` ${ms(empty)}`,
  result: times(took / empty),
  goal: atMost(took / empty, limit, `${limit}×`),
});
