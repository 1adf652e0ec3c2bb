import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { readRepositoryFile } from "../../../src/config/read-repository-config.ts";
import { checkCondition, holds } from "../../../src/workflow/condition.ts";
import { findWorkflow } from "../../../src/workflow/find.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";
import { renderPrompt } from "../../../src/workflow/template.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { conditions } from "./hostile-files/conditions.ts";
import { names, settings } from "./hostile-files/repository.ts";
import { schemas } from "./hostile-files/schemas.ts";
import { templates } from "./hostile-files/templates.ts";
import { yaml } from "./hostile-files/yaml.ts";

/** What is refused says so in lines that name the file, the line and the column. */
const LINE = /^file\.yaml:\d+:\d+: \S|^file\.yaml: and \d+ more problems$/;
const isClear = (lines: readonly string[]): void => {
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatch(LINE);
    // Strangers wrote the file: what is quoted of it stays short.
    expect(line.length).toBeLessThan(2_000);
  }
};

/** The problems of a file, or null when it is none. Whatever else is thrown fails the test. */
const workflowProblems = async (text: string | Uint8Array): Promise<string[] | null> => {
  try {
    await loadWorkflow(text, { file: "file.yaml" });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error).toMatchObject({ code: "workflow-invalid", remedy: "fix-input" });
    return error.message.split("\n");
  }
};

/** As forges give files on: as text, whatever the bytes were. */
const settingsProblems = async (text: string | Uint8Array): Promise<string[]> => {
  const given = typeof text === "string" ? text : new TextDecoder().decode(text);
  return (await readRepositoryFile(given, { name: "file.yaml", owner: "acme" })).problems;
};

const untouched = (): void => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
};
beforeEach((context) => countAttempts(context, "hostile workflow and configuration files"));
afterEach(untouched);

describe("a file that is no honest YAML", () => {
  it.each(yaml)("is refused as a workflow, with its place: %s", async (_, text) => {
    isClear((await workflowProblems(text)) ?? expect.fail("it was loaded"));
  });

  it.each(yaml)("is refused as a configuration, with its place: %s", async (_, text) => {
    isClear(await settingsProblems(text));
  });
});

const output = { name: "x", items: Array.from({ length: 1_000 }, (_, at) => at), text: "a".repeat(100_000) };

describe("a prompt", () => {
  it.each(templates)("reaches nothing, and ends: %s", async (_, template, held) => {
    const rendering = renderPrompt(template, output, { input: "", steps: {} });

    if (held === null) await expect(rendering).rejects.toMatchObject({ code: "prompt-failed" });
    else expect(await rendering).toMatch(held);
  });
});

describe("a condition", () => {
  const object = { type: "object" };

  it.each(conditions)("is decided or refused, and ends: %s", async (_, when) => {
    const problem = await checkCondition(when, { output: object, schemas: {} });
    const decided = await holds(when, { output, steps: {}, visits: {}, input: "", trigger: "" }).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );

    if (problem !== null) expect(problem.message).toMatch(/\S/);
    if ("error" in decided) expect(decided.error).toMatchObject({ code: "condition-failed" });
    else expect(decided.value).toBeTypeOf("boolean");
  });
});

describe("a role's schema", () => {
  const file = (schema: object): string =>
    JSON.stringify({
      name: "w",
      roles: { a: { systemPrompt: "A", schema } },
      moderator: [
        { from: "$START", to: "a" },
        { from: "a", to: "$END" },
      ],
    });
  const answers = [
    { name: `${"a".repeat(50_000)}b` },
    { name: Array.from({ length: 3_000 }, (_, at) => ({ at })) },
    { [`${"a".repeat(50_000)}b`]: "x" },
    { next: Array.from({ length: 2_000 }).reduce<object>((inner) => ({ next: inner }), {}) },
    JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}'),
    null,
  ];

  it.each(schemas)("is refused, or judges every answer: %s", async (_, schema) => {
    const problems = await workflowProblems(file(schema));
    if (problems !== null) return isClear(problems);

    const judge = outputSchema(schema as never);
    for (const answer of answers) {
      try {
        expect(judge.safeParse(answer).success).toBeTypeOf("boolean");
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }
  });
});

describe("a repository's configuration", () => {
  it.each(settings)("may not say: %s", async (_, text) => {
    isClear(await settingsProblems(text));
  });
});

describe("a workflow's name", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  it.each(names)("leads to no file: %j", async (name) => {
    const asked: string[] = [];
    const finding = findWorkflow(name, {
      store: temporary.store,
      byHash: false,
      readPath: null,
      readRepository: async (path) => void asked.push(path),
    });

    await expect(finding).rejects.toMatchObject({ code: expect.stringMatching(/^workflow-(name|unknown)$/) });
    for (const path of asked) expect(path).toMatch(/^\.uwf\/workflows\/[\w.-]+\.yaml$/);
  });
});
