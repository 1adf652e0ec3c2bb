import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasGitName, isReservedLinkName, staysInside } from "../../../src/workspace/names.ts";

describe("hasGitName", () => {
  it.each([
    ".git",
    "a/.git/b",
    ".GIT",
    "a/.Git",
    ".git.",
    ".git ",
    ".git . .",
    "git~1",
    "GIT~1/x",
    ".git::$INDEX",
    ".git:x",
    "a\\.git\\b",
    ".g\u200cit",
    ".git\ufeff",
  ])("takes %j for a git directory", (path) => {
    expect(hasGitName(path)).toBe(true);
  });

  it.each([".gitignore", ".github/x", "git", "a.git", "x.git/y", ".gitx", "..git", ".gi t"])(
    "lets %j pass",
    (path) => {
      expect(hasGitName(path)).toBe(false);
    },
  );
});

describe("staysInside", () => {
  it.each([
    ["a", "b"],
    ["a/b", "../c"],
    ["a/b", "./c/d"],
    ["a/b/c", "../../d"],
    ["a", "."],
    ["a/b", ".."],
    ["a/b", "./../c"],
    ["a/b", ".//.././c"],
    ["a/b", "c/"],
  ])("lets %s lead to %s", (path, target) => {
    expect(staysInside(path, target)).toBe(true);
  });

  it.each([
    ["a", "/etc/passwd"],
    ["a", ".."],
    ["a", "../b"],
    ["a/b", "../../c"],
    ["a/b", "c/../../../d"],
    ["a/b/c", "x/../y"],
    ["a", ""],
    ["a", "x\0y"],
    ["a", ".git/config"],
  ])("keeps %s from leading to %j", (path, target) => {
    expect(staysInside(path, target)).toBe(false);
  });
});

describe("a link that stays inside", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b", "c d", ".git", "..a", "a..", "\u00e9");
  const path = fc
    .array(fc.constantFrom("a", "b", "c d"), { minLength: 1, maxLength: 4 })
    .map((names) => names.join("/"));
  const target = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"));

  it("leads below the root, wherever that is, and through no git directory", () => {
    fc.assert(
      fc.property(path, target, (at, to) => {
        const leads = posix.resolve(posix.dirname(`/x/root/${at}`), to);
        const isBelow = leads === "/x/root" || leads.startsWith("/x/root/");
        if (staysInside(at, to)) expect([isBelow, leads.includes("/.git")]).toEqual([true, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("isReservedLinkName", () => {
  it("knows the files that git reads", () => {
    const names = [".gitmodules", "a/.GITMODULES", "gitmod~1", "GI7EBA~4"];

    expect(names.filter((name) => !isReservedLinkName(name))).toEqual([]);
  });

  it("knows no others", () => {
    const names = [".gitignore", "x.gitmodules", ".gitmodules2", "gitmod~x", ".gitmodules/a"];

    expect(names.filter(isReservedLinkName)).toEqual([]);
  });
});
