import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Store } from "../store/store.ts";

/** The nodes of the store, for an agent that plays a step. */
export type AgentStore = {
  /** Stores a text of the agent's own: its log, or a report. Answers the node's hash. */
  putText(text: string): Promise<Hash>;
  /** A node; undefined when it is not there. */
  get(hash: Hash): Promise<{ type: string; payload: unknown } | undefined>;
};

export const agentStore = (store: Pick<Store, "put" | "get">): AgentStore => ({
  putText: async (text) => {
    const node = makeNode("text", { encoding: "utf8", text: text.toWellFormed() });
    await store.put([node]);
    return node.hash;
  },
  get: async (hash) => {
    const node = await store.get(hash);
    return node === undefined ? undefined : { type: node.type, payload: node.payload };
  },
});
