import { describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { shownThreads } from "../../../src/worker/shown-threads.ts";

const HOUR = 3_600_000;

describe("the threads that a process has shown", () => {
  it("are forgotten when nothing is heard of them, unless an edit of theirs is planned or under way", () => {
    const clock = { ms: 0 };
    const threads = shownThreads(() => clock.ms);
    for (let n = 0; n < 100; n++) threads.of(newThreadId());
    const [planned, writing, heard] = [newThreadId(), newThreadId(), newThreadId()];
    const timer = setTimeout(() => undefined, HOUR);
    threads.of(planned).planned = { timer, at: HOUR };
    threads.of(writing).writes = 1;
    threads.of(heard).body = "as it was";

    clock.ms = HOUR / 2;
    threads.of(heard);
    clock.ms = HOUR;
    threads.of(newThreadId());
    clearTimeout(timer);

    expect(threads.size).toBe(4);
    expect(threads.of(heard).body).toBe("as it was");
    expect(threads.of(planned).planned?.timer).toBe(timer);
    expect(threads.of(writing).writes).toBe(1);
  });
});
