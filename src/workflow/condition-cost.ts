import type { ASTNode } from "@marcbachmann/cel-js";
import { isObject } from "../base/json.ts";

/** Functions that read what they are given at most once. */
const readers: ReadonlySet<unknown> = new Set(["has", "size", "startsWith", "endsWith"]);

/**
 * Whether deciding a parsed condition takes no longer than reading its values, once for each place in it that names
 * them: it has no loops, no regular expressions, and no functions but plain ones.
 */
export const isQuick = (condition: ASTNode): boolean => {
  const waiting: unknown[] = [condition];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    if (!isObject(next) || !("op" in next)) continue;
    const { op, args } = next;
    if ((op === "call" || op === "rcall") && !(Array.isArray(args) && readers.has(args[0]))) return false;
    waiting.push(args);
  }
  return true;
};
