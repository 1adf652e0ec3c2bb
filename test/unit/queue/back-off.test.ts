import { describe, expect, it } from "vitest";
import { AppError, bugError, configError, inputError } from "../../../src/base/errors.ts";
import { delayAfter, isBusy } from "../../../src/queue/back-off.ts";

const retry = (code: string, retryAfterMs?: number) =>
  new AppError("not now", { code, remedy: "retry", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

const delays = (error: unknown, tries: number) =>
  Array.from({ length: tries }, (_, index) => delayAfter(error, index + 1));

describe("delayAfter", () => {
  it("doubles from a second to five minutes", () => {
    expect(delays(retry("forge-unavailable"), 11)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ]);
    expect(delayAfter(retry("forge-unavailable"), 1_000_000)).toBe(300_000);
  });

  it("looks often whether a thread is free while its lease may end, then every minute", () => {
    expect(delays(retry("thread-busy"), 10)).toEqual([
      1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 60_000, 60_000,
    ]);
  });

  it("waits as long as the error asks for, between a second and an hour", () => {
    const asked = (ms: number) => delayAfter(retry("model-rate-limited", ms), 5);

    expect([asked(0), asked(90_000), asked(86_400_000)]).toEqual([1_000, 90_000, 3_600_000]);
  });

  it("does not try again what would fail again", () => {
    const errors = [inputError("a", "b"), configError("a", "b"), bugError("b"), new Error("b"), "b"];

    expect(errors.map((error) => delayAfter(error, 1))).toEqual(errors.map(() => null));
  });
});

describe("isBusy", () => {
  it("is so of what waits for others alone", () => {
    const errors = [retry("thread-busy"), retry("subject-busy"), retry("forge-unavailable"), new Error("b")];

    expect(errors.map(isBusy)).toEqual([true, true, false, false]);
  });
});
