import type { ASTNode } from "@marcbachmann/cel-js";
import { isObject } from "../../base/json.ts";

/** The one thing that is known of the output. */
export type KnownStatus = { field: string; value: string };

/**
 * What a condition comes to when only the output's status is known: true, false, or null when that depends on more
 * (or the condition is none).
 */
export const decided = async (when: string | null, known: KnownStatus): Promise<boolean | null> => {
  if (when === null) return true;
  const { Environment } = await import("@marcbachmann/cel-js");
  try {
    const { ast } = new Environment({ unlistedVariablesAreDyn: true }).parse(when);
    const result = fold(ast, known);
    return typeof result?.value === "boolean" ? result.value : null;
  } catch {
    // The condition's own check has told.
    return null;
  }
};

/** undefined: not known. */
type Folded = { value: unknown } | undefined;

const fold = (node: ASTNode, known: KnownStatus): Folded => {
  switch (node.op) {
    case "value":
      return { value: node.args };
    case ".":
    case "[]":
      return isStatus(node, known.field) ? { value: known.value } : undefined;
    case "!_":
      return map(fold(node.args, known), (value) => (typeof value === "boolean" ? !value : undefined));
    case "==":
    case "!=": {
      const [left, right] = [fold(node.args[0], known), fold(node.args[1], known)];
      return left && right && { value: (left.value === right.value) === (node.op === "==") };
    }
    case "in":
      return foldIn(node.args, known);
    case "&&":
      return foldLogic(node.args, { known, decisive: false });
    case "||":
      return foldLogic(node.args, { known, decisive: true });
    case "?:": {
      const test = fold(node.args[0], known);
      return test && fold(node.args[test.value === true ? 1 : 2], known);
    }
    default:
      return undefined;
  }
};

const map = (folded: Folded, change: (value: unknown) => unknown): Folded => {
  const value = folded && change(folded.value);
  return value === undefined ? undefined : { value };
};

/** `false &&` and `true ||` decide whatever stands on the other side. */
const foldLogic = (
  sides: [ASTNode, ASTNode],
  { known, decisive }: { known: KnownStatus; decisive: boolean },
): Folded => {
  const values = sides.map((side) => fold(side, known));
  if (values.some((side) => side?.value === decisive)) return { value: decisive };
  return values.every((side) => side?.value === !decisive) ? { value: !decisive } : undefined;
};

const foldIn = ([item, list]: [ASTNode, ASTNode], known: KnownStatus): Folded => {
  const value = fold(item, known);
  if (!value || list.op !== "list") return undefined;
  const items = list.args.map((one) => fold(one, known));
  if (items.some((one) => one?.value === value.value)) return { value: true };
  return items.every((one) => one !== undefined) ? { value: false } : undefined;
};

/** `output.status`, `output["$status"]`. */
const isStatus = (node: ASTNode, field: string): boolean => {
  if (node.op !== "." && node.op !== "[]") return false;
  const [object, key] = node.args;
  if (!isObject(object) || object.op !== "id" || object.args !== "output") return false;
  return typeof key === "string" ? key === field : key.op === "value" && key.args === field;
};
