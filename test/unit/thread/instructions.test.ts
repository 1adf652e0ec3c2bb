import { describe, expect, it } from "vitest";
import { withInstructions } from "../../../src/thread/instructions.ts";

describe("a role's system prompt", () => {
  it("is the role's own where no repository says anything", () => {
    expect(withInstructions("You work.\n", undefined)).toBe("You work.\n");
  });

  it("ends with what the maintainers ask, and with what may not be touched", () => {
    const prompt = withInstructions("You work.\n", {
      instructions: "Write British English.\n",
      protectedPaths: ["infra/**", "**/CODEOWNERS"],
    });

    expect(prompt).toMatch(
      /^You work\.\n\n# What this repository's maintainers ask of you\n\nWrite British English\.\n\n# Paths that no change may touch\n\n.*\n\n- \.github\/workflows\/\*\*\n/,
    );
    expect(prompt.endsWith("- **/CODEOWNERS\n- docs/CODEOWNERS\n- infra/**")).toBe(true);
  });

  it("has no heading for instructions that there are not", () => {
    expect(withInstructions("You work.", { instructions: null, protectedPaths: [] })).not.toContain(
      "ask of you",
    );
  });
});
