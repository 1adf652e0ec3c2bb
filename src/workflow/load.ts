import { inputError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { problemsOf, showProblem } from "../base/value-problems.ts";
import { RoleLimits } from "../store/payload.ts";
import { check } from "./check/check.ts";
import { compile } from "./compile.ts";
import { EdgeDefinition, RoleDefinition, Target, WorkflowDefinition } from "./definition.ts";
import { reservedName } from "./reserved.ts";
import { readDocument, type WorkflowDocument } from "./source/document.ts";
import type { LocatedProblem } from "./source/problem.ts";
import { builtinTools } from "./tool-names.ts";
import type { Workflow } from "./workflow.ts";

const SHOWN = 50;
/** More problems than anybody reads are not even located. */
const LOCATED = 500;

/** What a file is called, and what its roles may name. */
export type LoadOptions = {
  /** The file's name, as people know it: it stands before every problem. */
  file: string;
  /** Tools beside the built-in ones that roles may name: those of configured servers. */
  moreTools?: readonly string[];
};

/**
 * Reads and checks an untrusted workflow file. Throws `workflow-invalid` (fix-input), whose message has a line
 * `file:line:column: problem` for each problem.
 */
export const loadWorkflow = async (source: string | Uint8Array, options: LoadOptions): Promise<Workflow> => {
  const read = await readDocument(source);
  if (!read.ok) throw invalid(read.problems, options.file);
  const { value, positionOf } = read.document;
  const parsed = WorkflowDefinition.safeParse(value);
  if (!parsed.success) throw invalid(definitionProblems(parsed.error, read.document), options.file);
  const compiled = compile(parsed.data);
  const problems = [
    ...(await reservedName(compiled.workflow.name, source)),
    ...(await check(compiled, { tools: [...builtinTools, ...(options.moreTools ?? [])] })),
  ];
  if (problems.length > 0)
    throw invalid(
      problems.map((problem) => ({ ...positionOf(problem), message: problem.message })),
      options.file,
    );
  return compiled.workflow;
};

const invalid = (problems: readonly LocatedProblem[], file: string): Error => {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = [
    ...new Set(sorted.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)),
  ];
  const more = lines.length > SHOWN ? [`${file}: and ${lines.length - SHOWN} more problems`] : [];
  return inputError("workflow-invalid", [...lines.slice(0, SHOWN), ...more].join("\n"));
};

type DefinitionError = Parameters<typeof problemsOf>[0];

const definitionProblems = (
  error: DefinitionError,
  { value, positionOf }: WorkflowDocument,
): LocatedProblem[] =>
  problemsOf(error, value)
    .slice(0, LOCATED)
    .map(({ path, message, on }) => {
      if (path.length === 0) return { ...positionOf({ path, on: "value" }), message: notWorkflow(value) };
      const name = String(path.at(-1));
      const hint =
        message === "unknown field" ? (elsewhere.get(name) ?? didYouMean(name, fieldsBeside(path))) : "";
      const position = positionOf({ path, on: on ?? "value" });
      return { ...position, message: showProblem({ path, message: `${message}${hint}` }) };
    });

const notWorkflow = (value: unknown): string =>
  value === null ? "the file is empty" : "the file must be an object, with `name`, `roles` and `moderator`";

/** Where what a form that is not read has under these names stands here. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["conditions", "; an edge of `moderator` has its condition itself, as `when`, in CEL"],
]);

/** The fields that may stand where an unknown one does. */
const fieldsBeside = ([part, ...path]: readonly (string | number)[]): string[] => {
  if (part === "roles") return Object.keys((path.includes("limits") ? RoleLimits : RoleDefinition).shape);
  if (part === "moderator") return Object.keys(EdgeDefinition.shape);
  if (part === "graph") return Object.keys(Target.shape);
  return Object.keys(WorkflowDefinition.shape);
};
