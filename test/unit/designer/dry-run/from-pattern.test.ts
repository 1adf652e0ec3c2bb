import { describe, expect, it } from "vitest";
import { fromPattern } from "../../../../src/designer/dry-run/from-pattern.ts";

describe("fromPattern", () => {
  it.each([
    "^[a-z]+$",
    "^v\\d+\\.\\d+(\\.\\d+)?$",
    "^#\\d{1,6}$",
    "^(feat|fix)(\\([a-z-]+\\))?: .{3,72}$",
    "^[^/\\s]+/[^/\\s]+$",
    "^https?://[\\w.-]+(/.*)?$",
    "^[0-9a-f]{40}$",
    "^\\S+@\\S+\\.[a-z]{2,}$",
    "^(?:uwf|bot)/[A-Za-z0-9._-]{0,20}$",
    "^[A-Z][A-Za-z ]*[.!?]$",
    "^\\$[A-Z]+$",
    "^[\\]a]x$|^b$",
    "a|b",
    "",
  ])("makes a text that fits %s", (pattern) => {
    expect(fromPattern(pattern)).toMatch(new RegExp(pattern));
  });

  it("stays short", () => {
    expect(fromPattern("(a{1000}){1000}").length).toBeLessThanOrEqual(1_000);
  });
});
