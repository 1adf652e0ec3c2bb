import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { type Control, watchThread } from "../../../src/thread/control.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";

describe("watching a thread", () => {
  const id = newThreadId();
  const record = threadRecord(threadFixture(), { id, status: "running" });
  const asked: PromiseWithResolvers<ThreadRecord | undefined>[] = [];
  let control: Control;
  const watch = () => {
    const thread = () => {
      const answer = Promise.withResolvers<ThreadRecord | undefined>();
      asked.push(answer);
      return answer.promise;
    };
    const parts = { store: { thread }, log: silentLog };
    control = watchThread(parts, id, { signal: new AbortController().signal });
    control.watch();
  };
  const askedFor = (times: number) => expect.poll(() => asked.length, { timeout: 10_000 }).toBe(times);
  afterEach(() => {
    control.close();
    asked.length = 0;
  });

  it("asks a store that keeps silent once, and again when it has answered", async () => {
    watch();
    await askedFor(1);
    await pause(1_000);
    expect(asked).toHaveLength(1);

    asked[0]?.resolve(record);
    await askedFor(2);
    asked[1]?.reject(new Error("gone for now"));
    await askedFor(3);
    asked[2]?.resolve({ ...record, status: "cancelled" });

    await expect.poll(() => control.interruption()?.kind, { timeout: 10_000 }).toBe("cancelled");
    expect(control.signal.aborted).toBe(true);
  });
});
