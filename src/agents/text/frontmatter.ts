import type { z } from "zod";
import { isObject } from "../../base/json.ts";
import { readDocument } from "../../workflow/source/document.ts";
import { BODY } from "../../workflow/status-schema.ts";
import { outputJudge, type Resolution } from "../judge-output.ts";
import { type AnswerBlock, answerBlocks } from "./answer-blocks.ts";

/** Said when nothing in an answer is frontmatter. */
export const NO_FRONTMATTER =
  "There is no YAML frontmatter: a block of fields between two lines of `---`, at the beginning of the answer.";

/** Lists are shared only by aliases: as many as a workflow file may have. */
const MAX_ALIASES = 100;

/**
 * Reads a role's output from the YAML frontmatter of an answer: also when there is chatter before it, when the block is
 * fenced, and when it is JSON. Of several blocks the one counts that the answer begins with, if it fits the schema; else the
 * last that fits. A field that must be a string is taken as it is written: `1.10` stays `1.10`. The YAML is read as
 * untrusted, with the caps of workflow files. A schema that wants the text of the answer (`_body`) is given what stands below
 * the block. A suspension is taken from every role. Problems are lines of `path: problem`, or of `line 3, column 5: problem`
 * where the YAML itself is wrong. Never throws for what the text holds.
 */
export const readFrontmatter = async <T>(text: string, schema: z.ZodType<T>): Promise<Resolution<T>> => {
  const judge = outputJudge(schema);
  let first: Resolution<T> | null = null;
  for (const block of answerBlocks(text)) {
    const read = await readBlock(block, { schema, judge, below: textBelow(block, text) });
    if (read?.ok) return read;
    first ??= read;
  }
  return first ?? { ok: false, problems: NO_FRONTMATTER };
};

/** Null for a block that holds something else than fields: prose between two rulers, a list of commands. */
const readBlock = async <T>(
  block: AnswerBlock,
  { schema, judge, below }: { schema: z.ZodType<T>; judge: (value: unknown) => Resolution<T>; below: string },
): Promise<Resolution<T> | null> => {
  const read = await readDocument(block.text);
  if (!read.ok)
    return looksLikeFields(block.text) ? { ok: false, problems: located(read.problems, block) } : null;
  const { value } = read.document;
  if (!isObject(value)) return null;
  if (schema.safeParse(value).success) return judge(value);
  const whole = { ...value, [BODY]: below };
  if (!(BODY in value) && below !== "" && schema.safeParse(whole).success) return judge(whole);
  const asWritten = judge(await writtenValues(block.text));
  return asWritten.ok ? asWritten : judge(value);
};

/** What stands in the answer behind the line that ends the block. */
const textBelow = ({ line, text: block }: AnswerBlock, answer: string): string =>
  answer
    .split(/\r?\n/)
    .slice(line + block.split("\n").length)
    .join("\n")
    .trim();

const looksLikeFields = (text: string): boolean => /^[ \t]*["']?[$\w][\w$ -]*["']?\s*:(\s|$)/m.test(text);

/** The same value with every scalar as the text that was written. */
const writtenValues = async (text: string): Promise<unknown> => {
  const { parse } = await import("yaml");
  return parse(text, { schema: "failsafe", logLevel: "error", maxAliasCount: MAX_ALIASES });
};

const located = (
  problems: readonly { line: number; column: number; message: string }[],
  block: AnswerBlock,
): string =>
  problems
    .map(({ line, column, message }) => `line ${line + block.line - 1}, column ${column}: ${message}`)
    .join("\n");
