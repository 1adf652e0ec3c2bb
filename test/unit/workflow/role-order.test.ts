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

it("puts those last that a thread comes to only after its end", () => {
  const later = [
    { from: "$START", to: "greeter", when: null, on: "resume" as const },
    { from: "$START", to: "developer", when: null, on: "resume" as const },
    ...moderator,
  ];

  expect(roleOrder({ moderator: later })).toEqual(["preparer", "planner", "developer", "greeter"]);
});

it("leaves out those that only another trigger leads to", () => {
  expect(roleOrder({ moderator }, { trigger: "plan" })).toEqual(["preparer", "planner", "developer"]);
  expect(roleOrder({ moderator }, { trigger: "label" })).toEqual(["preparer", "developer"]);
});
