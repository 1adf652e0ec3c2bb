import { expect, it } from "vitest";
import { checkCondition } from "../../../src/workflow/condition.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { blocks, documented } from "../../fixtures/documented-workflows.ts";
import { problemsOf } from "./workflow-files.ts";

const textOf = (language: string, mark = ""): string =>
  blocks.find((block) => block.language === language && block.mark === mark)?.text ?? "";
const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const careful = () => loadWorkflow(documented.careful ?? "", { file: "careful.yaml" });

it("the page has the files that it speaks of", () => {
  expect(Object.keys(documented)).toEqual(["tidy", "careful", "tidy-and-tell", "pair"]);
});

it.each(Object.keys(documented))("the workflow %s is valid", async (name) => {
  expect(await loadWorkflow(documented[name] ?? "", { file: `${name}.yaml` })).toMatchObject({ name });
});

const conditions = lines(textOf("cel"));

it.each(conditions)("the condition %s can be asked behind the coder", async (when) => {
  const { roles } = await careful();
  const schemas = Object.fromEntries(Object.values(roles).map(({ name, schema }) => [name, schema]));

  expect(await checkCondition(when, { output: roles.coder?.schema ?? {}, schemas })).toBeNull();
});

const templates = lines(textOf("liquid"));

it.each(templates)("the prompt %s can be made behind the coder", async (prompt) => {
  const text = documented.careful ?? "";
  const written = `prompt: "Review {{ files | join: ', ' }}: {{ summary }}"`;
  expect(text).toContain(written);

  expect(await problemsOf(text.replace(written, `prompt: ${JSON.stringify(prompt)}`))).toEqual([]);
});

it("the broken file has the problems that are shown", async () => {
  const shown = lines(textOf("text")).map((line) => line.replace("✗ wrong.yaml:", ""));

  expect(await problemsOf(textOf("yaml", "wrong"))).toEqual(shown);
  expect([conditions.length, templates.length]).toEqual([8, 6]);
});
