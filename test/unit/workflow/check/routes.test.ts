import { describe, expect, it } from "vitest";
import { hasSurelyRun, reachable, reachesEnd } from "../../../../src/workflow/check/routes.ts";
import type { Workflow } from "../../../../src/workflow/workflow.ts";

type Edge = Workflow["moderator"][number];

const edge = (from: string, to: string, on: Edge["on"] = null): Edge => ({
  from,
  to,
  on,
  when: null,
  prompt: null,
});
const workflow = (...moderator: Edge[]): Workflow => ({ name: "w", description: "", roles: {}, moderator });

/** plan, then code; review may skip the test; a resumed thread goes to code at once. */
const resumed = edge("$START", "code", "resume");
const flow = workflow(
  edge("$START", "plan", "new"),
  resumed,
  edge("plan", "code"),
  edge("code", "test"),
  edge("code", "review"),
  edge("test", "review"),
  edge("review", "code"),
  edge("review", "$END"),
  edge("lost", "lost"),
);

describe("reachable", () => {
  it("follows edges from the start, by mode, and around a role", () => {
    expect([...reachable(flow)].sort()).toEqual(["$END", "$START", "code", "plan", "review", "test"]);
    expect(reachable(flow, { mode: "resume" }).has("plan")).toBe(false);
    expect(reachable(flow, { avoiding: "review" }).has("$END")).toBe(false);
  });
});

describe("reachesEnd", () => {
  it("follows edges back from the end", () => {
    expect([...reachesEnd(flow)].sort()).toEqual(["$END", "$START", "code", "plan", "review", "test"]);
  });
});

describe("hasSurelyRun", () => {
  it.each([
    ["plan", edge("code", "test"), true],
    ["plan", edge("review", "$END"), true],
    ["code", edge("code", "review"), true],
    ["review", edge("code", "test"), false],
    ["test", edge("review", "$END"), false],
    ["plan", edge("$START", "plan", "new"), false],
    ["plan", resumed, true],
    ["test", resumed, false],
  ])("%s, before %j: %s", (role, taken, expected) => {
    expect(hasSurelyRun(flow, { role, edge: taken })).toBe(expected);
  });

  it("minds that a resumed thread may come around a role that only one way to the end has", () => {
    const branches = workflow(
      edge("$START", "choose", "new"),
      edge("choose", "short"),
      edge("choose", "plan"),
      edge("plan", "code"),
      edge("short", "$END"),
      edge("code", "$END"),
      edge("$START", "code", "resume"),
    );

    expect(hasSurelyRun(branches, { role: "plan", edge: edge("code", "$END") })).toBe(false);
    expect(hasSurelyRun(branches, { role: "choose", edge: edge("code", "$END") })).toBe(true);
  });
});
