import type { Hash } from "../base/ids.ts";
import { type Body, encodeBody } from "./body.ts";
import type { Node } from "./node.ts";
import { jsonOf } from "./node-json.ts";

/** A node as its rows hold it. */
export type EncodedNode = Pick<Node, "hash" | "type" | "refs"> & {
  body: Body;
  /** The node before this one in its chain. */
  prev: Hash | null;
  output: Hash | null;
};

/**
 * Everything that can be done before a transaction holds the lock: checks the hashes, encodes the bodies, and puts
 * each node after those among them that it refers to. Throws when a node was changed after it was made.
 */
export const encodeNodes = (nodes: readonly Node[]): EncodedNode[] =>
  refsFirst(new Map(nodes.map((node) => [node.hash, encodeNode(node)])));

const encodeNode = (node: Node): EncodedNode => {
  const body = encodeBody(jsonOf(node));
  return { hash: node.hash, type: node.type, refs: node.refs, body, ...chainOf(node) };
};

/** A first step, or an end without steps, follows the thread's start, and a fork's start the step that it goes on from. */
const chainOf = (node: Node): { prev: Hash | null; output: Hash | null } => {
  switch (node.type) {
    case "step":
      return { prev: node.payload.prev ?? node.payload.start, output: node.payload.output };
    case "thread-end":
      return { prev: node.payload.prev ?? node.payload.start, output: null };
    case "turn":
      return { prev: node.payload.prev, output: null };
    case "thread-start":
      return { prev: node.payload.follows ?? null, output: null };
    default:
      return { prev: null, output: null };
  }
};

/** Depth first with a stack of its own: a chain may be long. Hashes cannot form a circle. */
const refsFirst = (waiting: Map<Hash, EncodedNode>): EncodedNode[] => {
  const ordered: EncodedNode[] = [];
  for (const first of [...waiting.values()]) {
    const stack = [first];
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      const next = waiting.has(node.hash) ? firstWaiting(node.refs, waiting) : undefined;
      if (next !== undefined) {
        stack.push(next);
        continue;
      }
      if (waiting.delete(node.hash)) ordered.push(node);
      stack.pop();
    }
  }
  return ordered;
};

const firstWaiting = (
  refs: readonly Hash[],
  waiting: ReadonlyMap<Hash, EncodedNode>,
): EncodedNode | undefined => {
  for (const ref of refs) {
    const node = waiting.get(ref);
    if (node !== undefined) return node;
  }
  return undefined;
};
