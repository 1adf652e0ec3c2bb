import { messageOf } from "../base/errors.ts";
import { isObject } from "../base/json.ts";

export type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

/**
 * What a model wrote as a call's arguments, as an object. Repaired are only slips that leave no doubt about what
 * was meant: a Markdown fence around it, raw control characters and unknown escapes inside strings, and JSON
 * that was put into a JSON string. No text stands for no arguments. What is cut or wrong otherwise stays an error.
 */
export const parseArguments = (text: string): ParsedArguments => {
  const bare = withoutFence(text.trim());
  if (bare === "") return { ok: true, value: {} };
  const parsed = parseRepaired(bare);
  if (!parsed.ok) return parsed;
  const value = typeof parsed.value === "string" ? parseNested(parsed.value) : parsed.value;
  if (isObject(value)) return { ok: true, value };
  return { ok: false, problem: `the arguments must be one JSON object, not ${kindOf(value)}` };
};

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

const parseRepaired = (text: string): Parsed => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (first) {
    try {
      return { ok: true, value: JSON.parse(repairStrings(text)) };
    } catch {
      return { ok: false, problem: `the arguments are not valid JSON: ${problemOf(text, first)}` };
    }
  }
};

const parseNested = (text: string): unknown => {
  const nested = parseRepaired(withoutFence(text.trim()));
  return nested.ok ? nested.value : text;
};

const withoutFence = (text: string): string =>
  /^```[a-z]*\s*\n([\s\S]*?)\n?\s*```$/i.exec(text)?.[1]?.trim() ?? text;

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes raw control characters and doubles backslashes that begin no JSON escape, inside strings only. */
const repairStrings = (text: string): string => {
  let repaired = "";
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') inside = !inside;
    if (inside && char === "\\") {
      const escaped = escapeAt(text, i);
      repaired += escaped.text;
      i += escaped.length - 1;
    } else if (inside && char < " ") {
      repaired += CONTROL_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    } else {
      repaired += char;
    }
  }
  return repaired;
};

const escapeAt = (text: string, at: number): { text: string; length: number } => {
  const next = text.charAt(at + 1);
  if (next === "u" && /^[0-9a-f]{4}/i.test(text.slice(at + 2, at + 6))) {
    return { text: text.slice(at, at + 6), length: 6 };
  }
  if (next !== "" && '"\\/bfnrt'.includes(next)) return { text: text.slice(at, at + 2), length: 2 };
  // An apostrophe needs no escape in JSON; other languages allow one, and it always means the apostrophe.
  if (next === "'") return { text: "'", length: 2 };
  return { text: "\\\\", length: 1 };
};

const problemOf = (text: string, error: unknown): string => {
  const cut = isCut(text) ? " It ends in the middle: it was cut off." : "";
  return `${messageOf(error).replace(/\.$/, "")}.${cut}`;
};

/** True when strings or brackets are still open at the end. */
const isCut = (text: string): boolean => {
  let depth = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (inside && char === "\\") i++;
    else if (char === '"') inside = !inside;
    else if (!inside && (char === "{" || char === "[")) depth++;
    else if (!inside && (char === "}" || char === "]")) depth--;
  }
  return inside || depth > 0;
};

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
};
