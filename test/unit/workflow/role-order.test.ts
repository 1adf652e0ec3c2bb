import { expect, it } from "vitest";
import { roleOrder } from "../../../src/workflow/role-order.ts";

const moderator = [
  { from: "$START", to: "preparer", when: null },
  { from: "preparer", to: "planner", when: 'trigger == "plan"' },
  { from: "preparer", to: "developer", when: null },
  { from: "planner", to: "developer", when: null },
  { from: "developer", to: "developer", when: "visits.developer < 3" },
  { from: "developer", to: "$END", when: null },
];

it("orders roles as they can first be reached", () => {
  expect(roleOrder({ moderator })).toEqual(["preparer", "planner", "developer"]);
});

it("leaves out those that only another trigger leads to", () => {
  expect(roleOrder({ moderator }, { trigger: "plan" })).toEqual(["preparer", "planner", "developer"]);
  expect(roleOrder({ moderator }, { trigger: "label" })).toEqual(["preparer", "developer"]);
});
