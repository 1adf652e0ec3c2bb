import { describe, expect, it } from "vitest";
import { plainStyle } from "../../../../src/cli/style.ts";
import { renderReplayedStep, renderVerdict } from "../../../../src/cli/thread/render-replay.ts";
import type { Replay, ReplayedStep } from "../../../../src/thread/replay/drift.ts";

const place = { step: 2, role: "coder", within: ["developer"] };
const call = { number: 3, name: "shell_exec", arguments: '{"command":"npm test \\u001b[31m"}' };
const step: ReplayedStep = {
  ...place,
  finished: true,
  calls: 4,
  ms: 1_234,
  remarks: [{ ...place, call: { ...call, number: 1 }, what: "not run again: it was cut off" }],
  drift: [
    {
      ...place,
      kind: "answer",
      call,
      what: "It answers something else.",
      diff: ["  # tests", "- # pass 3", "+ # pass \u001b[2J2", "…"],
    },
    { ...place, kind: "file", call: null, what: "a.js: has other contents.", diff: [] },
  ],
};
const replay = (more: Partial<Replay>): Replay => ({
  thread: "",
  workflow: { name: "solve", hash: "" },
  steps: [step],
  drift: [],
  remarks: [],
  ...more,
});

describe("a replay for people", () => {
  it("has each step on a line, with what differs and what was not judged below", () => {
    expect(renderReplayedStep(step, plainStyle)).toBe(`✗ 2 developer › coder  4 calls, 1.2s
    · call 1, shell_exec npm test: not run again: it was cut off
    ≠ call 3, shell_exec npm test: It answers something else.
          # tests
        - # pass 3
        + # pass 2
        …
    ≠ a.js: has other contents.
`);
  });

  it("marks a step without drift, and one that is not finished", () => {
    const same = { ...step, drift: [], remarks: [] };

    expect(renderReplayedStep(same, plainStyle)).toBe("✓ 2 developer › coder  4 calls, 1.2s\n");
    expect(renderReplayedStep({ ...same, finished: false, within: [] }, plainStyle)).toBe(
      "✓ 2 coder  not finished, 4 calls, 1.2s\n",
    );
  });

  it("ends with a sentence that says how it came out", () => {
    expect(renderVerdict(replay({}), plainStyle)).toBe(
      "\nNo drift. 1 step and 4 calls by solve came out as they were recorded.\n",
    );
    expect(renderVerdict(replay({ drift: step.drift, remarks: step.remarks }), plainStyle)).toBe(
      "\n2 differences from the record in 1 step and 4 calls by solve. Not judged: 1 thing, told above.\n",
    );
  });
});
