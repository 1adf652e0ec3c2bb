import { expect, it } from "vitest";
import { slidingCount } from "../../../src/base/sliding-count.ts";

it("counts each key within the time alone, and never far beyond the most", () => {
  let now = 0;
  const count = slidingCount({ most: 2, forMs: 100, now: () => now });

  expect([count("a"), count("a"), count("b"), count("a"), count("a"), count("a")]).toEqual([
    1, 2, 1, 3, 4, 4,
  ]);
  now = 100;
  expect(count("a")).toBe(1);
});

it("forgets those that were counted longest ago", () => {
  const count = slidingCount({ most: 5, forMs: 100, now: () => 0 });
  count("first");
  for (let key = 0; key < 10_000; key++) count(String(key));

  expect(count("first")).toBe(1);
});
