import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type CallRunner, type RunnableCall, runCalls } from "../../../src/agents/run-calls.ts";

const call = (name: string, id: string): RunnableCall => ({ kind: "run", id, name, args: "{}" });
const several = (name: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => call(name, `${name}${from + index}`));

const runner = (given: Partial<CallRunner> = {}) => {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const made: CallRunner = {
    effect: (name) => (name === "read" ? "read" : "write"),
    begin: async (ids) => void log.push(`begin ${ids.join(",")}`),
    run: async ({ id }) => {
      most = Math.max(most, ++running);
      await nextTick();
      running--;
      return { ok: true, text: id };
    },
    store: async ({ id }, { text }) => void log.push(`store ${id}: ${text}`),
    elapsed: () => 0,
    signal: new AbortController().signal,
    ...given,
  };
  return { made, log, most: () => most };
};

describe("runCalls", () => {
  it("runs readers side by side, eight at once", async () => {
    const { made, log, most } = runner();
    await runCalls(several("read", 10), made);
    expect(most()).toBe(8);
    expect(log.filter((line) => line.startsWith("begin"))).toEqual([
      "begin read0,read1,read2,read3,read4,read5,read6,read7",
      "begin read8,read9",
    ]);
    expect(log.filter((line) => line.startsWith("store"))).toHaveLength(10);
  });

  it("runs writers alone and in order, and reads after a write see it", async () => {
    const { made, log, most } = runner();
    await runCalls([call("read", "r1"), ...several("write", 2), call("read", "r2")], made);
    expect(most()).toBe(1);
    expect(log).toEqual([
      "begin r1",
      "store r1: r1",
      "begin write0",
      "store write0: write0",
      "begin write1",
      "store write1: write1",
      "begin r2",
      "store r2: r2",
    ]);
  });

  it("answers refused calls without beginning them", async () => {
    const { made, log } = runner();
    await runCalls([{ kind: "refuse", id: "x", name: "nope", text: "There is no such tool." }], made);
    expect(log).toEqual(["store x: There is no such tool."]);
  });

  it("stores results one at a time", async () => {
    let storing = 0;
    let most = 0;
    const { made } = runner({
      store: async () => {
        most = Math.max(most, ++storing);
        await nextTick();
        storing--;
      },
    });
    await runCalls(several("read", 4), made);
    expect(most).toBe(1);
  });

  it("stores what has finished when a store or a begin fails, and passes the failure on", async () => {
    const moved = new Error("thread-moved");
    const ran: string[] = [];
    const { made } = runner({
      begin: async (ids) => {
        if (ids.includes("write1")) throw moved;
      },
      run: async ({ id }) => {
        ran.push(id);
        return { ok: true, text: "" };
      },
    });
    await expect(runCalls(several("write", 3), made)).rejects.toBe(moved);
    expect(ran).toEqual(["write0"]);
  });

  it("takes an abort of the tool's own for a failure", async () => {
    const { made, log } = runner({ run: () => Promise.reject(new DOMException("gave up", "AbortError")) });
    await runCalls(several("read", 1), made);
    expect(log.at(-1)).toBe("store read0: read failed: gave up");
  });
});
