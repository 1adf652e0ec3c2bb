import type { Hash } from "../base/ids.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { ThreadRecord } from "../store/store.ts";
import { noteOf } from "./child-turn.ts";
import type { Engine } from "./engine.ts";
import { chainOf } from "./spent-below.ts";
import { childrenOf } from "./tree.ts";

/**
 * The turns that end a step which is not gone on from: where a process was killed before it could note what a child had used, that is
 * noted here. `turns`: the last of them.
 */
export const noteChildren = async (
  { store, now }: Pick<Engine, "store" | "now">,
  { id, head }: Pick<ThreadRecord, "id" | "head">,
  tip: Hash,
): Promise<{ turns: Hash; nodes: Node[] }> => {
  const nodes: Node[] = [];
  let turns = tip;
  for (const child of await childrenOf(store, id)) {
    const record = await store.thread(child);
    if (record === undefined) continue;
    const chain = await chainOf(store, { head, tip });
    const note = await noteOf(store, { chain, record, workflow: record.workflow, at: now(), ms: 0 });
    const { inputTokens, outputTokens, costUsd } = note.usage;
    if (inputTokens + outputTokens + (costUsd ?? 0) === 0) continue;
    const node = makeNode("turn", { ...note, prev: turns });
    nodes.push(node);
    turns = node.hash;
  }
  return { turns, nodes };
};
