import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../src/forge/retry-after.ts";

describe("retryAfterMs", () => {
  it("reads seconds and dates, never a time that has passed, and nothing else", () => {
    const soon = new Date(Date.now() + 60_000).toUTCString();

    expect(retryAfterMs("7")).toBe(7000);
    expect(retryAfterMs("-7")).toBe(0);
    expect(retryAfterMs(soon)).toBeGreaterThan(55_000);
    expect(retryAfterMs("Fri, 02 Jan 2026 09:00:00 GMT")).toBe(0);
    expect(retryAfterMs("soon")).toBeUndefined();
  });
});
