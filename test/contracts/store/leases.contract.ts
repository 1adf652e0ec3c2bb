import { expect, it } from "vitest";
import type { Rig } from "./rig.ts";

export const leasesContract = (rig: () => Rig): void => {
  it("is free, then its holder's, then free when it is over", async () => {
    const { store, clock } = rig();

    expect(await store.leaseHolder("key")).toBeUndefined();
    expect(await store.lease("key", "a", 100)).toBe(true);
    expect(await store.lease("key", "b", 100)).toBe(false);
    expect(await store.leaseHolder("key")).toBe("a");
    clock.now += 100;
    expect(await store.leaseHolder("key")).toBeUndefined();
    expect(await store.lease("key", "b", 100)).toBe(true);
    expect(await store.lease("key", "a", 100)).toBe(false);
  });

  it("is renewed by its holder", async () => {
    const { store, clock } = rig();
    await store.lease("key", "a", 100);

    clock.now += 90;
    expect(await store.lease("key", "a", 100)).toBe(true);
    clock.now += 90;
    expect(await store.leaseHolder("key")).toBe("a");
  });

  it("is given back by its holder alone", async () => {
    const { store } = rig();
    await store.lease("key", "a", 100);

    await store.release("key", "b");
    expect(await store.leaseHolder("key")).toBe("a");
    await store.release("key", "a");
    expect(await store.leaseHolder("key")).toBeUndefined();
  });

  it("goes to one of many that ask at once", async () => {
    const stores = [rig().store, await rig().another()];

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (stores[n % 2] ?? rig().store).lease("key", `holder ${n}`, 1_000)),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
    await stores[1]?.close();
  });
};
