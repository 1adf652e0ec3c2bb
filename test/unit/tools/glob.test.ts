import { describe, expect, it } from "vitest";
import { globMatcher } from "../../../src/tools/search/glob.ts";

describe("globMatcher", () => {
  it.each([
    ["*.ts", "src/a.ts", true],
    ["*.ts", "src/a.tsx", false],
    ["*.yml", ".github/workflows/ci.yml", true],
    [".env*", ".env.local", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/lib/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/lib/deep/a.ts", true],
    ["**/test/**", "a/test/b/c.js", true],
    ["src", "src/lib/a.ts", true],
    ["src/", "src/lib/a.ts", true],
    ["./src/**", "src/a.ts", true],
    ["/a.ts", "a.ts", true],
    ["/a.ts", "src/a.ts", false],
    ["*.{js,ts}", "src/a.ts", true],
    ["*.{js,{c,m}ts}", "a.mts", true],
    ["*.{js,ts}", "src/a.css", false],
    ["!*.test.ts", "a.test.ts", false],
    ["!*.test.ts", "a.ts", true],
    ["file[0-9].txt", "file7.txt", true],
    ["file[!0-9].txt", "file7.txt", false],
    ["a?c", "abc", true],
    ["a\\*c", "a*c", true],
    ["a{b", "a{b", true],
    ["\u{1F600}?", "\u{1F600}\u{1F600}", true],
  ])("%s on %s: %s", (glob, path, fits) => {
    expect(globMatcher(glob)(path)).toBe(fits);
  });

  it("takes no exponential time", () => {
    expect(globMatcher(`${"*a".repeat(50)}b`)("a".repeat(250))).toBe(false);
    expect(globMatcher(`${"**/a/".repeat(30)}b`)("a/".repeat(200))).toBe(false);
    expect(globMatcher("{a,b}".repeat(40))("a")).toBe(false);
  });
});
