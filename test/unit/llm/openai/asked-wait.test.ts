import { describe, expect, it } from "vitest";
import { askedWait } from "../../../../src/llm/openai/asked-wait.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const wait = (headers: Record<string, string>, text = "") => askedWait(new Headers(headers), text, now);

describe("askedWait", () => {
  it.each<[string, Record<string, string>, number | null]>([
    ["seconds", { "retry-after": "2" }, 2000],
    ["a fraction", { "retry-after": "0.25" }, 250],
    ["milliseconds first", { "retry-after-ms": "40", "retry-after": "2" }, 40],
    ["a date", { "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT" }, 30_000],
    ["a date in the past", { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" }, 0],
    ["nonsense", { "retry-after": "soon" }, null],
    [
      "an exhausted budget",
      { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s" },
      360_500,
    ],
    [
      "a budget with something left",
      { "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "1h" },
      null,
    ],
    ["a time of day in milliseconds", { "x-ratelimit-reset": String(now + 5000) }, 5000],
    ["a time of day in seconds", { "x-ratelimit-reset": String(now / 1000 + 5) }, 5000],
    ["nothing", {}, null],
  ])("%s", (_, headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it.each([
    ["Rate limit reached. Please try again in 1.5s.", 1500],
    ["Please try again in 20ms. Visit us.", 20],
    ["Please retry in 34.074824224s.", 34_075],
    ["Try again in 1m30s", 90_000],
    ["Retry after 12 seconds", 12_000],
    ["Try again later", null],
  ])("%s", (text, expected) => {
    expect(wait({}, text)).toBe(expected);
  });
});
