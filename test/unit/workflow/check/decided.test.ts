import { expect, it } from "vitest";
import { decided } from "../../../../src/workflow/check/decided.ts";

it.each([
  [null, true],
  ['output.status == "done"', true],
  ['"done" == output.status', true],
  ['output["status"] == "done"', true],
  ['output.status != "done"', false],
  ['output.status == "blocked"', false],
  ['output.status in ["blocked", "done"]', true],
  ['output.status in ["blocked"]', false],
  ['!(output.status == "done")', false],
  ['output.status == "done" && visits.a < 3', null],
  ['output.status == "blocked" && visits.a < 3', false],
  ['visits.a < 3 && output.status == "blocked"', false],
  ['output.status == "done" || visits.a < 3', true],
  ['output.status == "done" ? visits.a < 3 : false', null],
  ['output.status == "blocked" ? visits.a < 3 : false', false],
  ["visits.a < 3", null],
  ["output.status == output.other", null],
  ["steps.a.status == 'done'", null],
  ["not CEL at all (", null],
] as const)("%s with status done is %s", async (when, expected) => {
  expect(await decided(when, { field: "status", value: "done" })).toBe(expected);
});
