import { alternate, atMost, ms, type Row, timed } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const STEPS = 200;

/** Reading a thread's whole chain with all its answers, as every step's context needs it. */
export const threadContext = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const { store, run, close } = await uwfSteps(root);
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
        measured: `Context of a thread of ${STEPS} steps, 2 kB each`,
        uwf: ms(context),
        beside: "",
        result: ms(context),
        goal: atMost(context, 2, "2 ms"),
      },
    ];
  });
