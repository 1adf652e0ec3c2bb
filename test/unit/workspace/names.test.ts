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

describe("isReservedLinkName", () => {
  it("knows the files that git reads", () => {
    expect([".gitmodules", "a/.GITMODULES", "gitmod~1", ".gitignore"].map(isReservedLinkName)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
