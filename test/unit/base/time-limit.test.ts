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
