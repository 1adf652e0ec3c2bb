import type { ASTNode } from "@marcbachmann/cel-js";
import { isObject } from "../../base/json.ts";

/** What a condition speaks of: constants, and ways to values such as `["output", "status"]`. */
export type Terms = {
  strings: readonly string[];
  numbers: readonly number[];
  paths: readonly (readonly string[])[];
};

const noTerms: Terms = { strings: [], numbers: [], paths: [] };

/** The terms of a condition that parses; none of any other. */
export const termsOf = async (when: string | null): Promise<Terms> => {
  if (when === null) return noTerms;
  const { Environment } = await import("@marcbachmann/cel-js");
  const found = {
    strings: new Set<string>(),
    numbers: new Set<number>(),
    paths: new Map<string, string[]>(),
  };
  const { ast } = new Environment({ unlistedVariablesAreDyn: true }).parse(when);
  for (const node of nodesIn(ast)) {
    const path = pathOf(node);
    if (path !== null) found.paths.set(path.join("\0"), path);
    if (node.op !== "value") continue;
    if (typeof node.args === "string") found.strings.add(node.args);
    if (typeof node.args === "number" || typeof node.args === "bigint") found.numbers.add(Number(node.args));
  }
  return { strings: [...found.strings], numbers: [...found.numbers], paths: [...found.paths.values()] };
};

export const together = (terms: readonly Terms[]): Terms => ({
  strings: [...new Set(terms.flatMap(({ strings }) => strings))],
  numbers: [...new Set(terms.flatMap(({ numbers }) => numbers))],
  paths: terms.flatMap(({ paths }) => paths),
});

function* nodesIn(root: ASTNode): Generator<ASTNode> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    if (!isObject(next) || typeof next.op !== "string") continue;
    const node = next as unknown as ASTNode;
    yield node;
    waiting.push(node.args);
  }
}

/** `output.review.status`, `steps["coder"].status`; null for what is no such way. */
const pathOf = (node: ASTNode): string[] | null => {
  if (node.op === "id") return [node.args];
  if (node.op !== "." && node.op !== "[]") return null;
  const [object, key] = node.args;
  const before = pathOf(object);
  if (before === null) return null;
  if (typeof key === "string") return [...before, key];
  return key.op === "value" && typeof key.args === "string" ? [...before, key.args] : before;
};
