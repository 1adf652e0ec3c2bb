import { expect, it } from "vitest";
import { nextBatch } from "../../../src/store/sweep-batch.ts";

it.each([
  ["twice as many after a quick one", 100, 1, 200],
  ["as many as would have fitted after a slow one", 200, 30, 120],
  ["no more than 1,000", 800, 5, 1_000],
  ["some, however slow it is", 30, 1_000, 25],
])("takes %s", (_, size, tookMs, next) => {
  expect(nextBatch(size, tookMs)).toBe(next);
});
