import type { Hash } from "../../base/ids.ts";
import type { Node } from "../../store/node.ts";

export type TreeLine = {
  /** What is drawn before the node: `│  ├─ `. */
  stem: string;
  hash: Hash;
  /** undefined: it is not there. */
  node: Node | undefined;
  repeated: boolean;
};

type Waiting = { hash: Hash; indent: string; branch: string };

/** The nodes below `root`, in the order and with the lines of a tree. Chains of `prev` stay at one depth. */
export async function* treeLines(
  root: Hash,
  get: (hash: Hash) => Promise<Node | undefined>,
): AsyncGenerator<TreeLine> {
  const seen = new Set<Hash>();
  const waiting: Waiting[] = [{ hash: root, indent: "", branch: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = await get(next.hash);
    const repeated = seen.has(next.hash);
    yield { stem: next.indent + next.branch, hash: next.hash, node, repeated };
    seen.add(next.hash);
    if (node !== undefined && !repeated) waiting.push(...below(node, next).reverse());
  }
}

const below = (node: Node, { indent, branch }: Waiting): Waiting[] => {
  const prev = prevOf(node);
  const children = node.refs.filter((ref) => ref !== prev);
  const beside = branch.startsWith("├") || branch.startsWith("│") ? "│" : " ";
  const inner = branch === "" || branch === "↑ " ? "" : `${indent}${beside}  `;
  const lines = children.map((hash, index) => ({
    hash,
    indent: inner,
    branch: index === children.length - 1 ? "└─ " : "├─ ",
  }));
  if (prev === null) return lines;
  return [...lines, { hash: prev, indent, branch: branch === "" || branch === "↑ " ? "↑ " : `${beside}↑ ` }];
};

const prevOf = (node: Node): Hash | null =>
  node.type === "step" || node.type === "turn" || node.type === "thread-end" ? node.payload.prev : null;
