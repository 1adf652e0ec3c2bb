import { describe, expect, it } from "vitest";
import { requireUnprotected } from "../../../src/worker/publish/protected-paths.ts";

const check = (paths: readonly string[], protectedPaths: string[] = []) =>
  requireUnprotected(
    { files: paths.map((path) => ({ path, mode: "100644" as const, content: null })) },
    { protectedPaths },
  );

describe("protected paths", () => {
  it.each([
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/ci.yml",
    ".github/workflows",
    ".github",
    ".forgejo/workflows/a/b.yml",
    ".github/uwf.yml",
    "CODEOWNERS",
    "docs/codeowners",
  ])("are by default, whatever the case: %s", (path) => {
    expect(() => check(["src/a.ts", path])).toThrow(
      expect.objectContaining({
        code: "protected-path",
        remedy: "fix-input",
        message: expect.stringContaining(`\`${path}\``),
      }),
    );
  });

  it("are the repository's own, beside those by default", () => {
    expect(() => check(["Infra/main.tf"], ["infra/**"])).toThrow(/`Infra\/main\.tf`/);
    expect(() => check([".github/workflows/ci.yml"], ["infra/**"])).toThrow(/ci\.yml/);
  });

  it("are named in part when there are many", () => {
    const paths = Array.from({ length: 12 }, (_, index) => `infra/${index}.tf`);

    expect(() => check(paths, ["infra"])).toThrow(/`infra\/9\.tf` and 2 more/);
  });

  it("leave everything else alone", () => {
    expect(() =>
      check(
        ["src/a.ts", ".github/dependabot.yml", "docs/workflows/ci.yml", "workflows/x.yaml"],
        ["infra/**"],
      ),
    ).not.toThrow();
  });
});
