import { BREAK, drawn } from "./invisible.ts";

/** A text as one line of inline code; at most `maxChars` of it. */
export const inlineCode = (text: string, { maxChars = 200 }: { maxChars?: number } = {}): string => {
  const line = drawn(text).text.replace(/\s+/g, " ").trim();
  const shown = line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
  const safe = shown.replaceAll("<!--", `<${BREAK}!--`);
  const runs = safe.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return safe === "" ? "" : `${fence}${pad}${safe}${pad}${fence}`;
};
