import { describe, expect, it } from "vitest";
import { isAllowed } from "../../../src/intake/allowed.ts";

const allow = (organisations: string[], repositories: string[] = []) => ({ organisations, repositories });

describe("isAllowed", () => {
  it("lets every repository in where there is no list", () => {
    expect(isAllowed(allow([]), "acme/parser")).toBe(true);
  });

  it.each([
    ["acme/parser", true],
    ["ACME/other", true],
    ["acme2/parser", false],
    ["ac/parser", false],
    ["beta/acme", false],
    ["acme", true],
  ])("with an organisation on the list, of %s: %s", (repository, allowed) => {
    expect(isAllowed(allow(["Acme"]), repository)).toBe(allowed);
  });

  it.each([
    ["beta/tools", true],
    ["Beta/TOOLS", true],
    ["beta/tools2", false],
    ["beta/other", false],
    ["acme/tools", false],
  ])("with a repository on the list, of %s: %s", (repository, allowed) => {
    expect(isAllowed(allow([], ["Beta/Tools"]), repository)).toBe(allowed);
  });

  it("takes either list", () => {
    const both = allow(["acme", "gamma"], ["beta/tools", "beta/more"]);

    expect(["gamma/a", "beta/more", "beta/tools", "delta/a"].map((name) => isAllowed(both, name))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
