import { expect, it } from "vitest";
import { recent } from "../../../src/base/recent.ts";

const counting = (most: number) => {
  const made: string[] = [];
  const get = recent(
    async (key: string) => {
      made.push(key);
      if (key === "bad") throw new Error("it cannot be made");
      return { key };
    },
    { most },
  );
  return { made, get };
};

it("makes each value once", async () => {
  const { made, get } = counting(2);

  const [first, again] = [await get("a"), await get("a")];

  expect(first).toEqual({ key: "a" });
  expect(again).toBe(first);
  expect(made).toEqual(["a"]);
});

it("forgets what was not asked for longest", async () => {
  const { made, get } = counting(2);
  for (const key of ["a", "b", "a", "c"]) await get(key);

  await get("a");
  await get("b");

  expect(made).toEqual(["a", "b", "c", "b"]);
});

it("tries again what failed", async () => {
  const { made, get } = counting(2);
  await expect(get("bad")).rejects.toThrow("cannot be made");

  await expect(get("bad")).rejects.toThrow("cannot be made");

  expect(made).toEqual(["bad", "bad"]);
});
