import { describe, expect, it } from "vitest";
import { type ConditionContext, checkCondition, holds } from "../../../src/workflow/condition.ts";

const context: ConditionContext = {
  output: {
    status: "done",
    $status: "ready",
    count: 2,
    ratio: 0.5,
    big: 1e300,
    note: null,
    files: ["a.ts"],
    deep: { n: 1 },
    long: `${"a".repeat(40)}b`,
  },
  steps: { planner: { plan: "x" } },
  visits: { developer: 2, "fix-ci": 0 },
  input: "fix the bug",
  trigger: "plan",
};

describe("holds", () => {
  it.each([
    ['output.status == "done"', true],
    ['output["$status"] == "ready"', true],
    ["visits.developer < 3", true],
    ["visits.developer < 2", false],
    ['visits["fix-ci"] == 0', true],
    ["visits.developer + 1 == 3", true],
    ["output.count == 2", true],
    ["output.count % 2 == 0", true],
    ["output.count < 2.5", true],
    ["output.ratio < 1", true],
    ["output.ratio * 2.0 == 1.0", true],
    ["output.big > 1", true],
    ["output.deep.n == 1", true],
    ["output.note == null", true],
    ["has(output.nothing)", false],
    ['has(output.nothing) && output.nothing == "x"', false],
    ["size(output.files) == 1", true],
    ['output.files.exists(f, f.endsWith(".ts"))', true],
    ['output.status in ["done", "blocked"]', true],
    ['steps.planner.plan == "x"', true],
    ['input.contains("bug")', true],
    ['trigger == "plan"', true],
    ['trigger in ["label", "review"]', false],
  ])("%s is %s", async (when, expected) => {
    expect(await holds(when, context)).toBe(expected);
  });

  it.each([
    ["a field that is not there", "output.nothing == 1", /No such key: nothing/],
    ["a field of null", "output.note.x == 1", /cannot be decided/],
    ["what every object has", "output.constructor == 1", /No such key: constructor/],
    ["types that do not fit", "output.count + 1.5 == 3.5", /no such overload/],
    ["an answer that is no boolean", "output.count", /"2", not true or false/],
    ["an object for an answer", "output.deep", /no boolean/],
    ["a pattern that runs for ever", 'output.long.matches("(a+)+$")', /longer than 200 ms/],
    [
      "such a pattern inside other things",
      'size([output.long.matches("(a+)+$")]) == 1',
      /longer than 200 ms/,
    ],
    ["such a pattern behind a comment", 'output.long.matches // has\n ("(a+)+$")', /longer than 200 ms/],
    ["a text that is no condition", "1 +", /Unexpected token/],
  ])("fails over %s", async (_, when, message) => {
    await expect(holds(when, context)).rejects.toMatchObject({
      code: "condition-failed",
      remedy: "fix-input",
      message: expect.stringMatching(message),
    });
  });

  it("decides one condition again and again, whatever the values are by then", async () => {
    const when = 'output.long.matches("^(a+)+$") || output.count == 2';
    const asked = async (output: unknown) => {
      try {
        return await holds(when, { ...context, output });
      } catch (error) {
        return error instanceof Error && error.message.replace(/.* cannot be decided: /, "");
      }
    };

    const answers = [
      await asked({ long: "aaa", count: 1 }),
      await asked({ long: "b", count: "two" }),
      await asked({ long: `${"a".repeat(40)}b`, count: 1 }),
      await asked({ long: "b", count: 2 }),
      await asked({ long: 5, count: 3.5 }),
      await asked({ long: "b", count: 1 }),
    ];

    expect(answers).toEqual([
      true,
      false,
      expect.stringContaining("took longer than 200 ms"),
      true,
      expect.stringContaining("no"),
      false,
    ]);
  });

  it("stops loops in loops", async () => {
    const ten = "[1,2,3,4,5,6,7,8,9,10]";
    const nested = [..."abcdefghi"].reduceRight((inner, name) => `${ten}.all(${name}, ${inner})`, "true");

    await expect(holds(nested, context)).rejects.toMatchObject({
      code: "condition-failed",
      message: expect.stringContaining("longer than 200 ms"),
    });
  });
});

describe("checkCondition", () => {
  const output = {
    type: "object",
    required: ["status"],
    properties: {
      status: { enum: ["done", "blocked"] },
      $status: { const: "ready" },
      count: { type: "integer" },
      ratio: { type: "number" },
      note: { type: ["string", "null"] },
      files: { type: "array", items: { type: "string" } },
      tool: { type: "object", properties: { test: { type: "string" } } },
      free: { type: "object" },
    },
  };
  const scope = { output, schemas: { developer: output, "fix-ci": { type: "object" } } };

  it.each([
    'output.status == "done"',
    'output["$status"] == "ready"',
    "output.count % 2 == 0",
    "output.ratio < 2 || output.ratio > 2.5",
    "output.note == null",
    'output.tool.test == "npm test"',
    "output.free.anything == 3",
    "output.files.exists(f, f == 'x')",
    "has(output.note)",
    'visits.developer + visits["fix-ci"] < 5',
    "has(steps.developer)",
    "steps['fix-ci'].anything == 1",
    "input.startsWith('x')",
    'trigger == "plan" || trigger != "review" && "ci" == trigger',
    'trigger in ["label", "solve", ""]',
    'output.status == "done" && input == "lable" && input in ["lable"]',
    'trigger.startsWith("lable")',
  ])("accepts %s", async (when) => {
    expect(await checkCondition(when, scope)).toBeNull();
  });

  it.each([
    ["output.statsu == 'done'", 'there is no field or role "statsu" here; did you mean "status"?', 7],
    ["output.tool.lint == 'x'", 'there is no field or role "lint" here', 12],
    ["visits.develper < 3", 'there is no field or role "develper" here; did you mean "developer"?', 7],
    ["steps.nobody.x == 1", 'there is no field or role "nobody" here', 6],
    ["output.count == 'two'", "no such overload: int == string", 0],
    ["output.count", "a condition must be true or false; this is of type int", 0],
    ["true &&& false", "Unexpected character: &", 7],
    ["", "the condition ends too early", 0],
    ["trigger == 'lable'", '`trigger` is never "lable"; did you mean "label"?', 11],
    ["has(output.note) && !('pln' != trigger)", '`trigger` is never "pln"; did you mean "plan"?', 22],
    ["trigger in ['fix', 'fi', 'c'] ? true : false", '`trigger` is never "fi"; did you mean "fix"?', 19],
    ["['a'].exists(x, trigger == 'something else')", '`trigger` is never "something else"', 27],
    ["trigger == 1", "no such overload: string == int", 0],
    [`${"!".repeat(5000)}true`, "a condition has at most 4000 characters", 0],
    [`${"(".repeat(100)}true${")".repeat(100)}`, expect.stringMatching(/depth/i), expect.any(Number)],
  ])("refuses %.40s", async (when, message, at) => {
    expect(await checkCondition(when, scope)).toEqual({ message, at });
  });
});
