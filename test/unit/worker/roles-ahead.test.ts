import { expect, it } from "vitest";
import { rolesAhead } from "../../../src/worker/roles-ahead.ts";

const edge = (from: string, to: string, when: string | null = null) => ({
  ...{ from, to, when },
  prompt: null,
  on: null,
});

const byInput = [
  { ...edge("$START", "greeter"), on: "resume" as const },
  edge("$START", "planner", '!input.startsWith("Carry out")'),
  edge("$START", "coder"),
  edge("planner", "coder"),
];

const moderator = [
  edge("$START", "preparer"),
  edge("preparer", "planner", 'trigger == "plan"'),
  edge("preparer", "developer"),
  edge("planner", "developer", 'trigger == "plan" && output.sure'),
  edge("developer", "submitter", 'output.status == "done"'),
  edge("developer", "developer", "visits.developer < 3"),
  edge("submitter", "$END"),
];

it.each([
  ["$START", "label", ["preparer", "developer", "submitter"]],
  ["$START", "plan", ["preparer", "planner", "developer", "submitter"]],
  ["planner", "plan", ["developer", "submitter"]],
  ["developer", "label", ["submitter", "developer"]],
  ["submitter", "label", []],
])("after %s, for %s, come %j", async (from, trigger, roles) => {
  expect(await rolesAhead({ moderator }, { from, trigger, input: "" })).toEqual(roles);
});

it.each([
  ["Plan it.", ["planner", "coder"]],
  ["Carry out this.", ["coder"]],
])("of an input of %j, only what it leads to comes", async (input, roles) => {
  const found = await rolesAhead({ moderator: byInput }, { from: "$START", trigger: "", input });

  expect(found).toEqual(roles);
});
