import { describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../../src/base/ids.ts";
import { type Activity, idle, nextActivity } from "../../../../src/cli/progress/activity.ts";
import { renderStatusLine } from "../../../../src/cli/progress/status-line.ts";
import { plainStyle } from "../../../../src/cli/style.ts";
import { displayWidth } from "../../../../src/cli/terminal-text.ts";
import { zeroUsage } from "../../../../src/llm/usage.ts";
import type { ThreadEvent } from "../../../../src/thread/events.ts";

type WithoutPlace<E> = E extends unknown ? Omit<E, "thread"> : never;

const usage = { inputTokens: 4000, cachedInputTokens: 0, outputTokens: 321, costUsd: 0.02 };
const activityAfter = (...events: WithoutPlace<ThreadEvent>[]): Activity =>
  events.reduce<Activity>(
    (activity, event) => nextActivity(activity, { ...event, thread: "01J" as ThreadId } as ThreadEvent),
    idle(zeroUsage()),
  );
const line = (activity: Activity, { now = 10_000, width = 80 } = {}): string =>
  renderStatusLine(activity, { now, startedAt: 0, width, style: plainStyle });

const started = {
  kind: "step-started",
  role: "developer",
  index: 0,
  task: "",
  head: "H" as Hash,
  startedAt: 1_000,
  continued: false,
  at: 1_000,
} as const;
const call = (callId: string, at: number) =>
  ({
    kind: "tool-started",
    role: "developer",
    callId,
    name: "shell_exec",
    arguments: '{"command":"npm test"}',
    at,
  }) as const;
const returned = (callId: string, at: number) =>
  ({
    kind: "tool-finished",
    role: "developer",
    callId,
    name: "shell_exec",
    ok: true,
    text: "",
    ms: 1,
    at,
  }) as const;

describe("the status line", () => {
  it("says who thinks, and for how long", () => {
    expect(line(activityAfter(started))).toMatch(/^⠋ developer: thinking 9\.0s +10s, 0 tokens, \$0\.00$/);
  });

  it("says which call runs, and how many beside it", () => {
    const two = activityAfter(started, call("a", 5_000), call("b", 6_000));

    expect(line(two)).toContain("developer: shell_exec npm test and 1 more 5.0s");
    expect(line(nextActivity(two, { ...returned("a", 7_000), thread: "01J" as ThreadId }))).toContain(
      "npm test 4.0s",
    );
  });

  it("thinks again when the last call has returned", () => {
    expect(line(activityAfter(started, call("a", 5_000), returned("a", 6_000)))).toContain("thinking 4.0s");
  });

  it("counts a wait down, until text comes", () => {
    const waiting = {
      kind: "model-waiting",
      role: "developer",
      reason: "rate limit",
      ms: 20_000,
      at: 9_000,
    } as const;

    expect(line(activityAfter(started, waiting))).toContain("waiting 19s: rate limit");
    expect(
      line(activityAfter(started, waiting, { kind: "model-text", role: "r", piece: "x", at: 9_500 })),
    ).toContain("thinking");
  });

  it("adds up what replies cost", () => {
    const reply = {
      kind: "model-replied",
      role: "r",
      content: "",
      calls: [],
      usage,
      ms: 1,
      at: 2_000,
    } as const;

    expect(line(activityAfter(started, reply, reply))).toContain("8.6k tokens, $0.04");
  });

  it.each([20, 30, 50, 80, 200])("stays within %d columns", (width) => {
    const activity = activityAfter(started, {
      ...call("a", 1_000),
      arguments: '{"command":"echo 支持支持支持支持支持支持支持支持"}',
    });

    expect(displayWidth(line(activity, { width }))).toBeLessThan(width);
  });
});
