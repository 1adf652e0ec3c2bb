import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchName } from "../../../../src/forge/text/branch-name.ts";

describe("branchName", () => {
  it.each([
    [{ number: 12, title: "Parse `1h30m` as 90 minutes" }, "uwf/issue-12-parse-1h30m-as-90-minutes"],
    [{ number: 7, title: "Füge Größen hinzu" }, "uwf/issue-7-fuge-gro-en-hinzu"],
    [{ number: 7, title: "日本語" }, "uwf/issue-7"],
    [{ number: 7, title: "don't; $(rm -rf /) ../../x.lock" }, "uwf/issue-7-dont-rm-rf-x-lock"],
    [{ number: null, title: "Add a test" }, "uwf/add-a-test"],
    [{ number: null, title: "…" }, "uwf/work"],
    [
      { number: 1, title: "The quick brown fox jumps over the lazy dog again and again" },
      "uwf/issue-1-the-quick-brown-fox-jumps-over-the-lazy-dog",
    ],
    [{ number: 1, title: "x".repeat(100) }, `uwf/issue-1-${"x".repeat(48)}`],
  ])("of %j is %s", (issue, name) => {
    expect(branchName(issue)).toBe(name);
  });

  it("takes another prefix", () => {
    expect(branchName({ number: 3, title: "A" }, { prefix: "bot/" })).toBe("bot/issue-3-a");
  });

  it("is always a safe ref of at most 60 characters", () => {
    const number = fc.option(fc.integer({ min: 1, max: 2 ** 31 }));
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), number, (title, n) => {
        const name = branchName({ number: n, title });
        expect(name).toMatch(/^uwf\/[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(name.length).toBeLessThanOrEqual(60);
      }),
    );
  });
});
