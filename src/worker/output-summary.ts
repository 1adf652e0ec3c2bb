import { z } from "zod";
import { describeValue } from "../base/describe-value.ts";
import { isHash } from "../base/ids.ts";
import { isObject } from "../base/json.ts";
import { fieldLabel } from "../forge/text/field-label.ts";

/** A role's output as Markdown for people: its summary first, then what else it says, empty fields left out. */
export const outputSummary = (output: unknown): string => {
  if (!isObject(output)) return JSON.stringify(output);
  const { summary, ...rest } = output;
  const parts = Object.entries(rest).flatMap(([key, value]) => field(key, value));
  return [...(typeof summary === "string" && summary !== "" ? [summary] : []), parts.join("\n")]
    .filter(Boolean)
    .join("\n\n");
};

const Answers = z.looseObject({ answers: z.array(z.looseObject({ text: z.string() })) });

/** The answers to conversations in an output; none where it holds none. */
export const answersIn = (output: unknown): string[] => {
  const read = Answers.safeParse(output);
  return read.success ? read.data.answers.map(({ text }) => text) : [];
};

/** What was published, without what stands where it was published: its title, and the answers that went with it. */
export const publishedSummary = ({ title }: { title: string }, output: unknown): string => {
  const answers = answersIn(output).map((text) => `- ${describeValue(text)}`);
  return answers.length === 0 ? title : `${title}\n\nAnswered:\n\n${answers.join("\n")}`;
};

const field = (key: string, value: unknown): string[] => {
  if (value === null || value === "" || key === "status" || isNode(value)) return [];
  if (Array.isArray(value))
    return value.length === 0
      ? []
      : [`- ${fieldLabel(key)}:`, ...value.map((item) => `  - ${describeValue(item, { code })}`)];
  return [`- ${fieldLabel(key)}: ${describeValue(value, { code })}`];
};

/** Names of nodes say nothing to people. */
const isNode = (value: unknown): boolean => typeof value === "string" && isHash(value);

const code = (text: string): string => `\`${text}\``;
