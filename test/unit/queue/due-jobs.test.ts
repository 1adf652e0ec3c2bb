import { describe, expect, it } from "vitest";
import { dueDeliveries, type QueueStore, type Whereabouts } from "../../../src/queue/due-jobs.ts";

type Kept = { of?: string; where?: Whereabouts; again?: number };

/** Which of these come next, in the order given, where three of one installation are with workers at once. */
const nextOf = async (kept: Record<string, Kept>): Promise<string[]> => {
  const store = {
    pendingDeliveries: async () =>
      Object.entries(kept).map(([id, { of = "one" }]) => ({ id, installation: of })),
  } as Partial<QueueStore> as QueueStore;
  const at = (key: string): Kept => kept[key.replace("delivery-", "")] ?? {};
  const due = await dueDeliveries(store, {
    ...{ limit: 100, most: 3 },
    whereIs: (key) => at(key).where ?? "free",
    againAt: (key) => at(key).again,
  });
  return due.flatMap((job) => (job.kind === "delivery" ? [job.id] : []));
};

describe("dueDeliveries", () => {
  it("brings as many of an installation as there are places, in their order", async () => {
    expect(await nextOf({ a: { where: "taken" }, b: {}, c: {}, d: {} })).toEqual(["b", "c"]);
  });

  it("brings none where every place is taken", async () => {
    const where = "taken";

    expect(await nextOf({ a: { where }, b: { where }, c: { where }, d: {} })).toEqual([]);
  });

  it("keeps one place for what comes again, and gives the others to what is new", async () => {
    const kept = { a: { again: 1 }, b: { again: 2 }, c: { again: 3 }, d: {}, e: {}, f: {} };

    expect(await nextOf(kept)).toEqual(["a", "d", "e"]);
    expect(await nextOf({ ...kept, a: { again: 1, where: "taken" } })).toEqual(["d", "e"]);
  });

  it("gives every place to what comes again where nothing is new, the first that is due first", async () => {
    const kept = { a: { again: 9 }, b: { again: 5 }, c: { again: 7 }, d: { again: 1 } };

    expect(await nextOf(kept)).toEqual(["d", "b", "c"]);
  });

  it("leaves alone what rests", async () => {
    expect(await nextOf({ a: { again: 9, where: "resting" }, b: { again: 5 } })).toEqual(["b"]);
  });

  it("brings those of several installations in turn", async () => {
    const kept = { a: {}, b: { of: "two" }, c: {}, d: { of: "two" }, e: {}, f: {} };

    expect(await nextOf(kept)).toEqual(["a", "b", "c", "d", "e"]);
  });
});
