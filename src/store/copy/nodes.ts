import { AppError } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import { type Node, refsOf } from "../node.ts";
import { hashOf } from "../node-json.ts";
import type { NodeType } from "../payload.ts";
import type { Store } from "../store.ts";
import { inBatches } from "./batches.ts";

/** Batches are small enough to be held twice: files are whole in one node each. */
const batches = {
  count: 200,
  weight: {
    of: (node: Node) => (node.type === "text" ? node.payload.text.length : 1_000),
    most: 8 * 1024 * 1024,
  },
};

/** Puts every node, refs first, and answers how many there are. Those that are there already stay. */
export const copyNodes = async (
  { from, to }: { from: Store; to: Store },
  done: (nodes: number) => void,
): Promise<number> => {
  let nodes = 0;
  for await (const batch of inBatches(from.allNodes(), batches)) {
    await to.put(batch);
    nodes += batch.length;
    done(nodes);
  }
  return nodes;
};

/** The first node of `some` that cannot be read back from `whole` with the same content; counts those that can. */
export const firstNodeNotIn = async (
  { some, whole }: { some: Store; whole: Store },
  done: (nodes: number) => void,
): Promise<{ missing: Hash | undefined; nodes: number }> => {
  let nodes = 0;
  for await (const batch of inBatches(some.allNodes(), batches)) {
    if (!(await readBack(whole, batch)))
      for (const node of batch) if (!(await readBack(whole, [node]))) return { missing: node.hash, nodes };
    nodes += batch.length;
    done(nodes);
  }
  return { missing: undefined, nodes };
};

/** Whether the store has all of these nodes: what it gives is hashed again. */
const readBack = async (store: Store, nodes: readonly Node[]): Promise<boolean> => {
  const types = Map.groupBy(nodes, ({ type }) => type);
  const found = await Promise.all(
    [...types].map(([type, some]) =>
      hasAll(
        store,
        type,
        some.map(({ hash }) => hash),
      ),
    ),
  );
  return found.every(Boolean);
};

const hasAll = async (store: Store, type: NodeType, hashes: readonly Hash[]): Promise<boolean> => {
  try {
    const payloads = await store.loadAll(type, hashes);
    return payloads.every((payload, place) => hashOf(type, payload) === hashes[place]);
  } catch (error) {
    if (error instanceof AppError && (error.code === "node-missing" || error.code === "node-type"))
      return false;
    throw error;
  }
};

/** The first node whose refs are not those in its content, in whatever order; counts all. */
export const firstWithoutRefs = async (
  store: Store,
): Promise<{ broken: Hash | undefined; nodes: number }> => {
  let nodes = 0;
  for await (const { hash, type, payload, refs } of store.allNodes()) {
    const expected = refsOf(type, payload);
    if (expected.length !== refs.length || expected.some((ref) => !refs.includes(ref)))
      return { broken: hash, nodes };
    nodes++;
  }
  return { broken: undefined, nodes };
};
