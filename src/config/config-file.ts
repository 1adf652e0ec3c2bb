import { createRequire } from "node:module";
import type { Document } from "yaml";
import { messageOf } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { positions } from "../workflow/source/positions.ts";
import type { LocatedProblem } from "../workflow/source/problem.ts";
import { ConfigFile } from "./config.ts";
import { contradictions } from "./contradictions.ts";
import { fieldProblems, located, problemLines } from "./file-problems.ts";
import { brokenReferences } from "./references.ts";

export type ConfigFileResult = { file: ConfigFile; problems: [] } | { file: null; problems: string[] };

const MAX_BYTES = 1_000_000;

/** Checks the text of a `config.yaml`. Each problem is a line `config.yaml:line:column: field: what is wrong`. */
export const parseConfigFile = (text: string): ConfigFileResult => {
  if (Buffer.byteLength(text) > MAX_BYTES) return failed([at(1, 1, `longer than ${MAX_BYTES} bytes`)]);
  // Most commands run without the file, and need not wait for the parser to load.
  const yaml: typeof import("yaml") = createRequire(import.meta.url)("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) {
    return failed(
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return at(line, col, error.message);
      }),
    );
  }
  const positionOf = positions(document, { text, lines, yaml });
  const read = plainValue(document);
  if ("problem" in read) return failed([at(1, 1, read.problem)]);
  const value = withoutEmptySections(read.value ?? {});
  const parsed = ConfigFile.safeParse(value);
  const problems = parsed.success
    ? [...brokenReferences(parsed.data), ...contradictions(parsed.data)]
    : fieldProblems(ConfigFile, { error: parsed.error, value });
  if (problems.length > 0 || !parsed.success) return failed(located(problems, positionOf));
  return { file: parsed.data, problems: [] };
};

/** Aliases that go nowhere, or multiply without end, show only when the values are taken out. */
const plainValue = (document: Document.Parsed): { value: unknown } | { problem: string } => {
  try {
    return { value: document.toJS() };
  } catch (error) {
    return { problem: messageOf(error) };
  }
};

/** A section whose lines are all commented out reads as null. */
const withoutEmptySections = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, section]) => section !== null))
    : value;

const at = (line: number, column: number, message: string): LocatedProblem => ({ line, column, message });

const failed = (problems: readonly LocatedProblem[]): ConfigFileResult => ({
  file: null,
  problems: problemLines("config.yaml", problems),
});
