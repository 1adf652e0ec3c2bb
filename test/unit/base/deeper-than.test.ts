import { expect, it } from "vitest";
import { deeperThan } from "../../../src/base/deeper-than.ts";

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner, _, at) => (at % 2 === 0 ? [inner] : { inner }), 1);

it.each([
  [0, 0, false],
  [1, 0, true],
  [3, 3, false],
  [4, 3, true],
  [100_000, 100, true],
])("%i levels: deeper than %i is %s", (levels, most, deeper) => {
  expect(deeperThan(nested(levels), most)).toBe(deeper);
});
