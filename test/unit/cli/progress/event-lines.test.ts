import { describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../../src/base/ids.ts";
import { eventLines } from "../../../../src/cli/progress/event-lines.ts";
import { plainStyle } from "../../../../src/cli/style.ts";
import { displayWidth } from "../../../../src/cli/terminal-text.ts";
import type { ThreadEvent } from "../../../../src/thread/events.ts";

type WithoutPlace<E> = E extends unknown ? Omit<E, "thread" | "at"> : never;

const usage = { inputTokens: 4000, cachedInputTokens: 0, outputTokens: 321, costUsd: 0.0213 };
const event = (fields: WithoutPlace<ThreadEvent>): ThreadEvent =>
  ({ thread: "01J" as ThreadId, at: 1_000, ...fields }) as ThreadEvent;
const lines = (fields: WithoutPlace<ThreadEvent>, { width = 0, args = "", under = "r" } = {}): string[] =>
  eventLines(event(fields), { style: plainStyle, width, under, calls: new Map([["c", args]]) });

const finished = {
  kind: "tool-finished",
  role: "r",
  callId: "c",
  name: "shell_exec",
  ok: true,
  text: "",
  ms: 4100,
} as const;

describe("eventLines", () => {
  it("heads each step with its role, counted from 1", () => {
    const step = {
      kind: "step-started",
      role: "developer",
      index: 1,
      task: "x",
      head: "H" as Hash,
      startedAt: 1,
    } as const;

    expect(lines({ ...step, continued: false })).toEqual(["", "● developer step 2"]);
    expect(lines({ ...step, continued: true })).toEqual([
      "",
      "● developer step 2, taken up where it was left",
    ]);
  });

  it("says what a call was about and how long it took", () => {
    expect(lines(finished, { args: '{"command":"npm test"}' })).toEqual(["  ✓ shell_exec   npm test  4.1s"]);
  });

  it("fills a terminal's line and no more", () => {
    const args = JSON.stringify({ command: `echo ${"支持 ".repeat(60)}` });

    const [line = ""] = lines(finished, { width: 60, args });

    expect(displayWidth(line)).toBe(59);
    expect(line).toMatch(/… +4\.1s$/);
  });

  it("shows the end of a failure's text, made harmless", () => {
    const text = `${Array.from({ length: 20 }, (_, n) => `line ${n}`).join("\n")}\n\u001b[2J\rexit code 1`;

    const shown = lines({ ...finished, ok: false, text }, { args: '{"command":"make"}' });

    expect(shown[0]).toBe("  ✗ shell_exec   make  4.1s");
    expect(shown[1]).toBe("    │ …");
    expect(shown.at(-1)).toBe("    │ \u240dexit code 1");
    expect(shown).toHaveLength(10);
  });

  it("leaves a good resolve to the step's end, and shows a bad one", () => {
    expect(lines({ ...finished, name: "resolve" })).toEqual([]);
    expect(lines({ ...finished, name: "resolve", ok: false, text: "status: missing" })).toHaveLength(2);
  });

  it("shows the first lines of what the model said", () => {
    const reply = { kind: "model-replied", role: "r", calls: [], usage, ms: 1 } as const;

    expect(lines({ ...reply, content: "One.\n\nTwo.\nThree.\nFour." })).toEqual([
      "  One.",
      "  Two.",
      "  Three.",
      "  …",
    ]);
    expect(lines({ ...reply, content: " \n" })).toEqual([]);
  });

  it("says why and how long it waits", () => {
    expect(lines({ kind: "model-waiting", role: "r", reason: "429 Too\nMany", ms: 20_000 })).toEqual([
      "  … waiting 20s: 429 Too Many",
    ]);
  });

  it("shows what a step answered and cost", () => {
    const output = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, n]));
    const step = {
      kind: "step-finished",
      role: "r",
      index: 0,
      hash: "h" as Hash,
      usage,
      ms: 14_000,
    } as const;

    expect(lines({ ...step, output: { status: "done" } })).toEqual([
      "  ■ answered after 14s, 4.3k tokens, $0.0213",
      "    status: done",
    ]);
    expect(lines({ ...step, output }).at(-1)).toBe("    … 2 more");
  });

  it("names the role that a step has ended of where another one's heading stands above", () => {
    const step = { kind: "step-finished", role: "developer", index: 1, hash: "h" as Hash, usage } as const;

    expect(lines({ ...step, ms: 14_000, output: { done: true } }, { under: "developer › coder" })).toEqual([
      "",
      "● developer step 2",
      "  ■ answered after 14s, 4.3k tokens, $0.0213",
      "    done: true",
    ]);
  });

  it("shows what was published", () => {
    const published = { branch: "uwf/x", commit: "0123456789abcdef", url: null, title: "t", body: "b" };

    expect(lines({ kind: "published", published })).toEqual(["  ↑ uwf/x 0123456789"]);
    expect(lines({ kind: "published", published: { ...published, url: "https://x/1" } })).toEqual([
      "  ↑ uwf/x https://x/1",
    ]);
  });

  it("shows no line for what only the status line needs", () => {
    expect(lines({ kind: "model-text", role: "r", piece: "x" })).toEqual([]);
    expect(lines({ kind: "tool-output", role: "r", callId: "c", piece: "x" })).toEqual([]);
    expect(lines({ kind: "status", status: "running", reason: null })).toEqual([]);
  });
});
