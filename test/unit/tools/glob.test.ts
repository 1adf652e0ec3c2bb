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
    ["file[0-9].txt", "file0.txt", true],
    ["file[0-9].txt", "file9.txt", true],
    ["file[0-8].txt", "file9.txt", false],
    ["file[1-9].txt", "file0.txt", false],
    ["file[a0-9].txt", "file5.txt", true],
    ["file[axc].txt", "filec.txt", true],
    ["file[axc].txt", "fileb.txt", false],
    ["file[a].txt", "filea.txt", true],
    ["file[ab].txt", "file[.txt", false],
    ["file[a-].txt", "file-.txt", true],
    ["file[a[!].txt", "filea.txt", true],
    ["file[^a].txt", "fileb.txt", true],
    ["file[]a].txt", "file].txt", true],
    ["a[b", "a[b", true],
    ["a?c", "abc", true],
    ["a?c", "xabc", false],
    ["a*", "a", true],
    ["a*.ts*", "ab.ts", true],
    ["a\\*c", "a*c", true],
    ["a\\*c", "abc", false],
    ["a?\\", "ab\\", true],
    ["a{b", "a{b", true],
    ["{js,ts}", "js", true],
    ["{a{b,c},d}", "ac", true],
    ["{a{b,c},d}", "d", true],
    ["{a,b}".repeat(6), "ababab", true],
    ["{a,b}".repeat(7), "abababa", false],
    ["{a,b}".repeat(7), "{a,b}".repeat(7), true],
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
