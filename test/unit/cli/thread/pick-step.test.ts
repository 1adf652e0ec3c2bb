import { describe, expect, it } from "vitest";
import { pickStep } from "../../../../src/cli/thread/pick-step.ts";
import type { History } from "../../../../src/store/store.ts";
import { messageFixture, stepFixture, threadFixture, threadRecord } from "../../../fixtures/nodes.ts";

const fixture = threadFixture();
const first = stepFixture(fixture, null).step;
const second = stepFixture(fixture, first.hash).step;
const history: History = {
  start: fixture.start.payload,
  steps: [first, second].map(({ hash, payload }) => ({ hash, step: payload, output: {} })),
  shared: 0,
  end: null,
};
const record = threadRecord(fixture);
const tip = messageFixture(null, "go").hash;

describe("pickStep", () => {
  it.each([
    ["its number", "2"],
    ["its hash", second.hash],
    ["the beginning of its hash", second.hash.slice(0, 8).toLowerCase()],
  ])("finds a step by %s", (_, text) => {
    expect(pickStep({ history, record }, text)).toMatchObject({
      kind: "finished",
      index: 2,
      record: { hash: second.hash },
    });
  });

  it("finds the step under way after the last one", () => {
    expect(pickStep({ history, record: { ...record, tip } }, "3")).toEqual({
      kind: "unfinished",
      index: 3,
      turns: tip,
    });
  });

  it.each(["0", "3", "99999999", "nothing", second.hash.slice(0, 7)])("refuses %j", (text) => {
    expect(() => pickStep({ history, record }, text)).toThrow(/no step/);
  });
});
