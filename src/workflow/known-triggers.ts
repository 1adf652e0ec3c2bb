import type { ASTNode } from "@marcbachmann/cel-js";
import { isObject } from "../base/json.ts";
import { didYouMean } from "../base/nearest.ts";

/** What begins threads: an event, or a command; empty for anything else. */
const triggers: readonly string[] = [
  ...["label", "review", "checks"],
  ...["solve", "plan", "run", "fix", "ci"],
  "",
];

/** The first comparison of `trigger` with what it never is; null when there is none. `at`: characters into the condition. */
export const unknownTrigger = (condition: ASTNode): { message: string; at: number } | null => {
  const waiting: unknown[] = [condition];
  const found: { value: string; at: number }[] = [];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    if (!isNode(next)) continue;
    found.push(...comparedIn(next).flatMap((node) => unknownIn(node)));
    waiting.push(next.args);
  }
  const [first] = found.sort((a, b) => a.at - b.at);
  if (first === undefined) return null;
  const { value, at } = first;
  return { message: `\`trigger\` is never ${JSON.stringify(value)}${didYouMean(value, triggers)}`, at };
};

/** `trigger == "plan"`, `"plan" != trigger`, `trigger in ["plan", "solve"]`: what stands on the other side. */
const comparedIn = ({ op, args }: ASTNode): ASTNode[] => {
  if (op !== "==" && op !== "!=" && op !== "in") return [];
  const [left, right] = args;
  if (isTrigger(left)) return op === "in" && right.op === "list" ? right.args : [right];
  return isTrigger(right) && op !== "in" ? [left] : [];
};

const unknownIn = ({ op, args, start }: ASTNode): { value: string; at: number }[] =>
  op === "value" && typeof args === "string" && !triggers.includes(args) ? [{ value: args, at: start }] : [];

const isTrigger = ({ op, args }: ASTNode): boolean => op === "id" && args === "trigger";

const isNode = (value: unknown): value is ASTNode =>
  isObject(value) && typeof value.op === "string" && "args" in value;
