import { describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../../src/base/ids.ts";
import { progressView } from "../../../../src/cli/progress/progress-view.ts";
import { plainStyle } from "../../../../src/cli/style.ts";
import { zeroUsage } from "../../../../src/llm/usage.ts";
import { fakeOutput } from "../../../fixtures/fake-context.ts";

const place = { thread: "01J" as ThreadId, at: 0 };
const started = {
  ...place,
  kind: "step-started",
  role: "developer",
  index: 0,
  task: "",
  head: "H" as Hash,
  startedAt: 0,
  continued: false,
} as const;
const clear = "\r\u001b[2K";

describe("progressView", () => {
  it("prints plain lines where nobody watches", () => {
    const output = fakeOutput();
    const view = progressView(output, { style: plainStyle, now: () => 0 });

    view.begin(zeroUsage());
    view.emit(started);
    view.emit({
      ...place,
      kind: "tool-started",
      role: "r",
      callId: "c",
      name: "read_file",
      arguments: '{"path":"a"}',
    });
    view.emit({
      ...place,
      kind: "tool-finished",
      role: "r",
      callId: "c",
      name: "read_file",
      ok: true,
      text: "",
      ms: 9,
    });
    view.close();

    expect(output.text()).toBe("\n● developer step 1\n  ✓ read_file    a  0.0s\n");
  });

  it("keeps the status line below what is printed, and takes it away at the end", () => {
    const output = fakeOutput({ isTerminal: true, columns: 60 });
    const view = progressView(output, { style: plainStyle, now: () => 0 });

    view.begin(zeroUsage());
    view.emit(started);
    const drawn = output.text();
    view.beside(() => output.write("warn: x\n"));
    view.close();

    expect(drawn).toContain(`step 1\n${clear}⠋ developer: thinking`);
    expect(output.text().slice(drawn.length)).toBe(`${clear}warn: x\n`);
  });

  it("draws no status line before it begins", () => {
    const output = fakeOutput({ isTerminal: true, columns: 60 });

    progressView(output, { style: plainStyle, now: () => 0 }).emit(started);

    expect(output.text()).toBe("\n● developer step 1\n");
  });
});
