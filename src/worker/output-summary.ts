import { describeValue } from "../base/describe-value.ts";
import { isObject } from "../base/json.ts";

/** A role's output as Markdown for people: its summary first, then what else it says, empty fields left out. */
export const outputSummary = (output: unknown): string => {
  if (!isObject(output)) return JSON.stringify(output);
  const { summary, ...rest } = output;
  const parts = Object.entries(rest).flatMap(([key, value]) => field(key, value));
  return [...(typeof summary === "string" && summary !== "" ? [summary] : []), parts.join("\n")]
    .filter(Boolean)
    .join("\n\n");
};

const field = (key: string, value: unknown): string[] => {
  if (value === null || value === "" || key === "status") return [];
  if (Array.isArray(value))
    return value.length === 0
      ? []
      : [`- ${label(key)}:`, ...value.map((item) => `  - ${describeValue(item, { code })}`)];
  return [`- ${label(key)}: ${describeValue(value, { code })}`];
};

/** `repoPath` → `Repo path`. */
const label = (key: string): string => {
  const words = key
    .replace(/^\$/, "")
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const code = (text: string): string => `\`${text}\``;
