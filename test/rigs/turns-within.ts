import type { Payload } from "../../src/store/payload.ts";
import type { StepRecord, Store } from "../../src/store/store.ts";

/** The turns of each step, and of the steps of the threads that have played its role; in their order. */
export const turnsWithin = async (
  store: Pick<Store, "history" | "turns">,
  steps: readonly StepRecord[],
): Promise<Payload<"turn">[][]> => {
  const all = await Promise.all(
    steps.map(async ({ step: { turns, childHash } }) => [
      ...(childHash === undefined ? [] : await turnsWithin(store, (await store.history(childHash)).steps)),
      turns === null ? [] : await store.turns(turns),
    ]),
  );
  return all.flat();
};
