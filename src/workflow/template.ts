import type { Liquid } from "liquidjs";
import { inputError, isAbort, messageOf } from "../base/errors.ts";
import { isObject, type JsonSchema } from "../base/json.ts";
import { withinTime } from "../base/time-limit.ts";
import { shapesOf } from "./json-schema/shape.ts";

const RENDER_MS = 1000;
const MAX_TEMPLATE = 32 * 1024;
const MAX_OUTPUT = 256 * 1024;

/** What a prompt may use beside the last output's own fields. */
export type PromptExtras = {
  /** The thread's input. */
  input: string;
  /** The last output of each role that has run, by role. */
  steps: Readonly<Record<string, unknown>>;
};

/** The names that always stand for the same: an output's field of the same name is `output.<name>`. */
export const extraNames = ["input", "steps", "output"] as const;

/**
 * Fills a prompt: the last output's fields are variables (null where its schema knows one that is not there),
 * `output` is all of it, and the extras stand beside.
 * Objects and lists are printed as JSON, null as nothing. Throws `prompt-failed` (fix-input): an undefined
 * variable, an unknown filter, or more than the limits on time, memory and size allow.
 */
export const renderPrompt = async (
  template: string,
  output: unknown,
  { schema = {}, ...extras }: PromptExtras & { schema?: JsonSchema },
): Promise<string> => {
  const known = shapesOf(schema, schema).flatMap(({ properties }) => [...properties.keys()]);
  const missing = Object.fromEntries(known.map((name) => [name, null]));
  const scope = { ...missing, ...(isObject(output) ? output : {}), output, ...extras };
  const liquid = await strictLiquid();
  try {
    const text = withinTime("the prompt", RENDER_MS, () =>
      String(liquid.renderSync(liquid.parse(template), scope)),
    );
    if (text.length > MAX_OUTPUT)
      throw inputError(
        "prompt-failed",
        `the prompt has ${text.length} characters; at most ${MAX_OUTPUT} are allowed`,
      );
    return text;
  } catch (error) {
    if (isAbort(error)) throw error;
    throw inputError("prompt-failed", `the prompt cannot be made: ${liquidMessage(error)}`);
  }
};

/** A variable that a template takes from outside. */
export type TemplateVariable = {
  /** The way to it, as far as it is written out: `steps.preparer.toolchain`. */
  segments: readonly (string | number)[];
  /** Characters into the template. */
  at: number;
  /** The template asks first whether it is there, or has a default for it. */
  guarded: boolean;
};

export type TemplateReading =
  | { ok: true; variables: TemplateVariable[] }
  | { ok: false; message: string; at: number };

/** The variables of a template, or why it is none. */
export const variablesOf = async (template: string): Promise<TemplateReading> => {
  const liquid = await strictLiquid();
  const { Tokenizer } = await import("liquidjs");
  try {
    return withinTime("reading the template", RENDER_MS, () => {
      const { globals } = liquid.analyzeSync(liquid.parse(template), { partials: false });
      const tags = new Tokenizer(template).readTopLevelTokens();
      const used = Object.values(globals)
        .flat()
        .map((variable) => {
          const at = offsetOf(template, variable.location);
          const around = tags.find((tag) => tag.begin <= at && at < tag.end);
          return { segments: plainSegments(variable.segments), at, around: around?.getText() ?? "" };
        });
      const asked = used.filter(({ around }) => /^\{%-?\s*(if|elsif|unless|case|when)\b/.test(around));
      const variables = used.map(({ segments, at, around }) => ({
        segments,
        at,
        guarded:
          /\|\s*default\b/.test(around) ||
          asked.some((one) => one.segments.every((step, i) => segments[i] === step)),
      }));
      return { ok: true, variables };
    });
  } catch (error) {
    return { ok: false, message: liquidMessage(error), at: offsetOf(template, locationOf(error)) };
  }
};

/** Liquid that knows no file: nothing can be included, and only own properties are seen. */
const strictLiquid = async (): Promise<Liquid> => {
  const { Liquid } = await import("liquidjs");
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    // A condition may ask whether a variable is there.
    lenientIf: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: MAX_TEMPLATE,
    renderLimit: RENDER_MS,
    memoryLimit: 4 * MAX_OUTPUT,
    outputEscape: (value: unknown) =>
      typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : String(value ?? ""),
  });
  for (const tag of ["include", "render", "layout", "block"]) delete liquid.tags[tag];
  return liquid;
};

type Location = { row: number; col: number };

const offsetOf = (template: string, { row, col }: Location): number =>
  template
    .split("\n")
    .slice(0, row - 1)
    .reduce((sum, line) => sum + line.length + 1, 0) +
  col -
  1;

const locationOf = (error: unknown): Location => {
  const [, row, col] = /, line:(\d+), col:(\d+)/.exec(messageOf(error)) ?? [];
  return { row: Number(row ?? 1), col: Number(col ?? 1) };
};

/** Up to the first step that another variable decides. */
const plainSegments = (segments: readonly unknown[]): (string | number)[] => {
  const plain: (string | number)[] = [];
  for (const step of segments) {
    if (typeof step !== "string" && typeof step !== "number") break;
    plain.push(step);
  }
  return plain;
};

const liquidMessage = (error: unknown): string => messageOf(error).replace(/, line:\d+, col:\d+.*$/, "");
