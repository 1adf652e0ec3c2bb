import { describe, expect, it } from "vitest";
import { gathered } from "../../../src/base/gathered.ts";

const setUp = ({ most = 100, mostSize = 1_000, atOnce = 1 } = {}) => {
  const writes: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const write = gathered(
    async (items: readonly string[]) => {
      writes.push([...items]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return items.map((item) => item.toUpperCase());
    },
    { most, mostSize, sizeOf: (item) => item.length, atOnce },
  );
  const begun = (count: number) => expect.poll(() => gates.length).toBe(count);
  return { write, writes, gates, begun };
};

describe("gathered", () => {
  it("writes at once what comes at once, and together what comes during a write", async () => {
    const { write, writes, gates, begun } = setUp();

    const first = [write("a"), write("b")];
    await begun(1);
    const second = [write("c"), write("d")];
    gates[0]?.resolve();
    await begun(2);
    gates[1]?.resolve();

    expect(await Promise.all([...first, ...second])).toEqual(["A", "B", "C", "D"]);
    expect(writes).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("bounds a write by number and by size, and takes a large item alone", async () => {
    const { write, writes, gates, begun } = setUp({ most: 2, mostSize: 10 });

    const all = ["1", "2", "3", "4".repeat(50), "5".repeat(6), "6".repeat(6)].map(write);
    for (let n = 1; n <= 5; n++) {
      await begun(n);
      gates[n - 1]?.resolve();
    }
    await Promise.all(all);

    expect(writes.map((batch) => batch.map((item) => item[0]))).toEqual([
      ["1", "2"],
      ["3"],
      ["4"],
      ["5"],
      ["6"],
    ]);
  });

  it("has as many writes under way as it may, and gathers then", async () => {
    const { write, writes, gates, begun } = setUp({ atOnce: 2 });

    const first = write("a");
    await begun(1);
    const second = write("b");
    await begun(2);
    const more = [write("c"), write("d")];
    gates[1]?.resolve();
    expect(await second).toBe("B");
    await begun(3);
    for (const gate of gates) gate.resolve();

    expect(await Promise.all([first, ...more])).toEqual(["A", "C", "D"]);
    expect(writes).toEqual([["a"], ["b"], ["c", "d"]]);
  });

  it("tells everybody in a failed write, and goes on with the next", async () => {
    const { write, gates, begun } = setUp();

    const failing = [write("a"), write("b")].map((done) => done.catch((error: Error) => error.message));
    await begun(1);
    const next = write("c");
    gates[0]?.reject(new Error("disk full"));
    await begun(2);
    gates[1]?.resolve();

    expect(await Promise.all(failing)).toEqual(["disk full", "disk full"]);
    expect(await next).toBe("C");
  });
});
