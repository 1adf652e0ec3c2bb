import { expect, it } from "vitest";
import { remembered } from "../../../src/base/remembered.ts";

const counting = ({ most = 2 } = {}) => {
  const made: string[] = [];
  const clock = { now: 0 };
  const remember = remembered<string>({ most, forMs: 60, now: () => clock.now });
  const get = (key: string) =>
    remember(key, async () => {
      made.push(key);
      if (key === "bad") throw new Error("it cannot be made");
      return `${key} at ${clock.now}`;
    });
  return { made, clock, get };
};

it("makes a value once, also for those who ask at the same time", async () => {
  const { made, get } = counting();

  const values = await Promise.all([get("a"), get("a")]);

  expect([...values, await get("a")]).toEqual(["a at 0", "a at 0", "a at 0"]);
  expect(made).toEqual(["a"]);
});

it("makes it anew when its time is over, however often it was asked for", async () => {
  const { clock, get } = counting();
  for (const now of [0, 30, 59]) {
    clock.now = now;
    expect(await get("a")).toBe("a at 0");
  }

  clock.now = 60;

  expect(await get("a")).toBe("a at 60");
});

it("keeps no more than it may, those asked for last", async () => {
  const { made, get } = counting({ most: 2 });
  for (const key of ["a", "b", "a", "c"]) await get(key);

  await get("a");
  await get("b");

  expect(made).toEqual(["a", "b", "c", "b"]);
});

it("tries again what failed", async () => {
  const { made, get } = counting();
  await expect(get("bad")).rejects.toThrow("cannot be made");

  await expect(get("bad")).rejects.toThrow("cannot be made");

  expect(made).toEqual(["bad", "bad"]);
});
