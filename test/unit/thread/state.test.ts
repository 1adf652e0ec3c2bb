import { describe, expect, it } from "vitest";
import { type ThreadStatus, threadStatuses } from "../../../src/store/store.ts";
import {
  isEnded,
  isRunnable,
  type ThreadCommand,
  threadCommands,
  transition,
} from "../../../src/thread/state.ts";

const table: Record<ThreadStatus, Partial<Record<ThreadCommand, ThreadStatus>>> = {
  queued: { claim: "running", pause: "paused", cancel: "cancelled", fail: "failed" },
  running: {
    claim: "running",
    "hand-back": "queued",
    pause: "paused",
    suspend: "suspended",
    complete: "completed",
    fail: "failed",
    cancel: "cancelled",
  },
  paused: { resume: "queued", cancel: "cancelled" },
  suspended: { resume: "queued", cancel: "cancelled" },
  completed: { resume: "queued" },
  failed: { resume: "queued" },
  cancelled: { resume: "queued" },
};

describe("transition", () => {
  const cases = threadStatuses.flatMap((status) =>
    threadCommands.map((command) => ({ status, command, next: table[status][command] ?? null })),
  );

  it.each(cases)("$status, $command → $next", ({ status, command, next }) => {
    expect(transition(status, command)).toBe(next);
  });

  it("leads from every status that is not runnable back to one that is by resume", () => {
    const stuck = threadStatuses.filter(
      (status) => !isRunnable(status) && transition(status, "resume") !== "queued",
    );

    expect(stuck).toEqual([]);
  });

  it("calls completed, failed and cancelled ended", () => {
    expect(threadStatuses.filter(isEnded)).toEqual(["completed", "failed", "cancelled"]);
  });
});
