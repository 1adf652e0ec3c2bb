import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answeringThread } from "../../../src/base/answering-thread.ts";

const THREAD = `
  const { parentPort } = require("node:worker_threads");
  let asked = 0;
  parentPort.on("message", (question) => {
    if (question === "exit") process.exit(3);
    if (question === "leave") setImmediate(() => process.exit(0));
    if (question === "fail") throw new Error("it failed");
    parentPort.postMessage(question + " " + ++asked);
  });
`;
const file = () =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from "node:module"; const require = createRequire("file:///");${THREAD}`)}`,
  );

describe("a thread that answers", () => {
  it("is asked one question after the other, and is the same for all", async () => {
    const ask = answeringThread<string, string>(file());

    expect(await Promise.all([ask("a"), ask("b"), ask("c")])).toEqual(["a 1", "b 2", "c 3"]);
    expect(await ask("d")).toBe("d 4");
  });

  it("is another one after it has failed", async () => {
    const ask = answeringThread<string, string>(file());
    await ask("a");

    await expect(ask("fail")).rejects.toThrow("it failed");
    expect(await ask("b")).toBe("b 1");
  });

  it("is another one after it has ended without an answer", async () => {
    const ask = answeringThread<string, string>(file());

    await expect(ask("exit")).rejects.toThrow("A worker thread ended with code 3 before it had answered.");
    expect(await ask("b")).toBe("b 1");
  });

  it("is another one after it has ended by itself", async () => {
    const ask = answeringThread<string, string>(file());
    expect(await ask("leave")).toBe("leave 1");

    await expect.poll(() => ask("c"), { interval: 100 }).toBe("c 1");
  });

  it("has answered when its answer and its end are heard of together", async () => {
    for (let i = 0; i < 5; i++) {
      let answered = false;
      const answer = answeringThread<string, string>(file())("leave").finally(() => {
        answered = true;
      });
      while (!answered) await heldUp(20);
      expect(await answer).toBe("leave 1");
    }
  });
});

/** This thread hears of nothing for `ms` milliseconds, then of all that has happened. */
const heldUp = async (ms: number): Promise<void> => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  await setImmediate();
};
