import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../../src/designer/catalogue.ts";
import { gapsOf, type Need } from "../../../src/designer/gaps.ts";

const catalogue: Catalogue = {
  agents: ["builtin", "claude"],
  tools: ["read_file", "shell_exec"],
  servers: [
    { name: "docs", tools: ["search", "read"] },
    { name: "tracker", tools: null },
  ],
  models: ["default", "small"],
  triggers: [
    { kind: "label", names: "configured", does: "" },
    { kind: "command", names: ["solve", "run"], does: "" },
    { kind: "checks", names: ["fix-ci"], does: "" },
  ],
  publishes: ["pull-request", "review"],
  workflows: [{ name: "develop", description: "" }],
  network: false,
};
const need = (kind: Need["kind"], name: string): Need => ({ kind, name, why: "because" });

describe("gapsOf", () => {
  it.each([
    need("agent", "claude"),
    need("agent", "Builtin"),
    need("tool", "read_file"),
    need("tool", "readFile"),
    need("tool", "docs:search"),
    need("tool", "docs:*"),
    need("tool", "tracker:whatever"),
    need("model", "small"),
    need("model", "default"),
    need("trigger", "label"),
    need("trigger", "label triage"),
    need("trigger", "/sort"),
    need("trigger", "checks"),
    need("trigger", "fix-ci"),
    need("publish", "pull_request"),
    need("workflow", "develop"),
  ])("has $kind $name", (one) => {
    expect(gapsOf([one], catalogue)).toEqual([]);
  });

  it.each([
    need("agent", "gpt-pilot"),
    need("tool", "gmail:send"),
    need("tool", "docs:write"),
    need("tool", "docs:"),
    need("tool", "tracker"),
    need("model", "huge"),
    need("trigger", "schedule"),
    need("trigger", "email"),
    need("publish", "release"),
    need("workflow", "deploy-it"),
    need("network", "registry.npmjs.org"),
  ])("has no $kind $name", (one) => {
    expect(gapsOf([one], catalogue)).toEqual([expect.objectContaining(one)]);
  });

  it("names what is installed under a like name, and each gap once", () => {
    const gaps = gapsOf(
      [need("tool", "docs:serch"), need("tool", "Docs:Serch"), need("model", "smal")],
      catalogue,
    );

    expect(gaps.map(({ nearest }) => nearest)).toEqual(["docs:search", "small"]);
  });

  it("has the network where commands reach any of it", () => {
    expect(gapsOf([need("network", "example.org")], { ...catalogue, network: true })).toEqual([]);
  });
});
