import { expect, it } from "vitest";
import { withinTime } from "../../../src/base/time-limit.ts";

it("answers what the work answers, and throws what it throws", () => {
  const failure = new Error("no");

  expect(withinTime("this", 1000, () => ({ a: 1 }))).toEqual({ a: 1 });
  expect(() =>
    withinTime("this", 1000, () => {
      throw failure;
    }),
  ).toThrow(failure);
});

it("stops a loop and a pattern that run for ever", () => {
  const loop = () => {
    for (;;);
  };
  const pattern = () => /^(a+)+$/.test(`${"a".repeat(40)}b`);

  for (const work of [loop, pattern])
    expect(() => withinTime("this", 20, work)).toThrow(
      expect.objectContaining({ code: "too-slow", message: "this took longer than 20 ms" }),
    );
});

it("does not take the machine's time for the work's", () => {
  let calls = 0;
  const held = () => {
    // As if others had the processor: time passes, and nothing is computed.
    if (++calls === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
    return calls;
  };

  expect(withinTime("this", 50, held)).toBe(2);
});
