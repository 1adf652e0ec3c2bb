import { expect, it } from "vitest";
import { mergedConfig } from "../../../src/config/merge-repository-config.ts";
import { protectedByDefault } from "../../../src/config/protected-paths.ts";

it("has the defaults without any file", () => {
  expect(mergedConfig([])).toMatchObject({
    labels: { uwf: "solve-issue" },
    branchPrefix: "uwf/",
    draft: "until-tests-pass",
    protectedPaths: protectedByDefault,
  });
});

it("merges labels and commands by key, and replaces all else", () => {
  const merged = mergedConfig([
    {
      labels: { bug: "fix-bug" },
      commands: { deploy: "deploy", plan: false },
      setup: ["make"],
      draft: "never",
    },
    { labels: { chore: "tidy" }, commands: { deploy: false }, setup: ["npm ci"] },
  ]);

  expect(merged).toMatchObject({
    labels: { uwf: "solve-issue", bug: "fix-bug", chore: "tidy" },
    commands: { deploy: false, plan: false },
    setup: ["npm ci"],
    draft: "never",
  });
});

it("takes a label back whatever its case", () => {
  const merged = mergedConfig([{ labels: { UWF: null } }]);

  expect(merged.labels).toEqual({ UWF: null, "uwf:design": "design" });
});

it("protects what is protected by default, whatever files say", () => {
  const merged = mergedConfig([
    { protectedPaths: ["infra/**"] },
    { protectedPaths: ["docs/**", "**/CODEOWNERS"] },
  ]);

  expect(merged.protectedPaths).toEqual([...protectedByDefault, "docs/**"]);
});
