import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { generatedFiles, root } from "../../../docs/generate/files.ts";
import {
  configSchema,
  environmentSchema,
  repositorySchema,
  type Schema,
} from "../../../docs/generate/json-schemas.ts";
import { rowsOf, variableRows } from "../../../docs/generate/tables.ts";
import { parseConfigFile } from "../../../src/config/config-file.ts";
import { readRepositoryFile } from "../../../src/config/read-repository-config.ts";

const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

it.each(generatedFiles())("$path is what `npm run docs` makes", ({ path, text }) => {
  expect(read(path)).toBe(text);
});

describe("the page on configuration", () => {
  const page = read("docs/configuration.md");

  it.each([
    ["config.yaml", rowsOf(configSchema)],
    ["a repository's file", rowsOf(repositorySchema)],
    ["the environment", variableRows(environmentSchema)],
  ])("says what each key of %s means", (_, rows) => {
    expect(rows.filter(({ description }) => description === "")).toEqual([]);
  });

  it("has each key of config.yaml once", () => {
    const [, table = ""] = /## The server's file\n([\s\S]*)\n### How limits work/.exec(page) ?? [];
    const told = [...table.matchAll(/^(?:\| |### )`([^`]+)`/gm)].map(([, key]) => key ?? "");

    expect(told.toSorted()).toEqual(
      rowsOf(configSchema)
        .map(({ key }) => key)
        .toSorted(),
    );
  });

  it.each([
    [
      "| `models.<name>.contextTokens` | whole number from 1000 | `128000` | Tokens that a conversation may have: a longer one is shortened. |",
    ],
    ["| `providers.<name>.baseUrl` | address | must be given |"],
    ["| `limits.monthly.totalUsd` | number above 0 or `null` | `null` |"],
    ["| `limits.concurrency` | whole number from 0 to 64 | `2` |"],
    ['| `labels` | map of text or `null` | `{"uwf":"solve-issue","uwf:design":"design"}` |'],
    ["| `draft` | `until-tests-pass`, `always` or `never` | `until-tests-pass` |"],
    ["| `PORT` | whole number | `3000` |"],
    ["| `OPENAI_BASE_URL` | address | `https://api.openai.com/v1` | The default provider's address. |"],
  ])("has the row %s", (row) => {
    expect(page).toContain(row);
  });
});

describe("the examples", () => {
  const fits = (schema: Schema, value: unknown): unknown[] => {
    const ajv = new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true });
    const validate = ajv.compile(schema);
    validate(value);
    return validate.errors ?? [];
  };

  it("of config.yaml is right, for uwf and for editors", () => {
    const text = read("docs/examples/config.yaml");

    expect(parseConfigFile(text).problems).toEqual([]);
    expect(fits(configSchema, parse(text))).toEqual([]);
  });

  it("of a repository's file is right, for uwf and for editors", async () => {
    const text = read("docs/examples/uwf.yml");

    const { file, problems } = await readRepositoryFile(text, { name: "uwf.yml", owner: "acme" });

    expect(problems).toEqual([]);
    expect(Object.keys(file?.layer ?? {})).toHaveLength(10);
    expect(fits(repositorySchema, parse(text))).toEqual([]);
  });

  it("name schemas that are there", () => {
    for (const name of ["config.yaml", "uwf.yml"]) {
      const [, schema = ""] =
        /^# yaml-language-server: \$schema=(\S+)/.exec(read(`docs/examples/${name}`)) ?? [];
      expect(() => readFileSync(new URL(schema, new URL(`docs/examples/${name}`, root)))).not.toThrow();
    }
  });

  it("would be refused by editors with an unknown key", () => {
    expect(fits(configSchema, { modles: {} })).toMatchObject([{ keyword: "additionalProperties" }]);
  });
});
