import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { coalesced } from "../../../src/queue/coalesced.ts";

describe("coalesced", () => {
  it("lets all who ask during a run share the next one", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const ask = coalesced(async () => {
      await gates[runs++]?.promise;
    });

    const first = ask();
    await Promise.resolve();
    const later = Promise.all([ask(), ask(), ask()]);
    gates[0]?.resolve();
    await first;
    gates[1]?.resolve();
    await later;

    expect(runs).toBe(2);
  });

  it("lets all who ask while it rests share one run", async () => {
    let runs = 0;
    const ask = coalesced(
      async () => {
        runs++;
        await pause(20);
      },
      { rests: 10 },
    );
    await ask();

    const first = ask();
    await pause(5);
    await Promise.all([first, ask()]);

    expect(runs).toBe(2);
  });

  it("tells who asked that the run failed, and runs again", async () => {
    let runs = 0;
    const ask = coalesced(async () => {
      if (++runs === 1) throw new Error("no");
    });

    await expect(ask()).rejects.toThrow("no");
    await expect(ask()).resolves.toBeUndefined();
  });
});
