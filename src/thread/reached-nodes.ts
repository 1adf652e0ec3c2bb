import type { Hash } from "../base/ids.ts";
import type { Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import type { StoredNodes } from "../tools/stored-nodes.ts";

/** What is read of a thread before its node is found: more than that is no record of work. */
const MOST_NODES = 200_000;

/**
 * The nodes that lead from a thread's own: what another thread, and with it another tenant, has stored is not found, even by
 * its whole hash. What a root reaches never changes, so each is walked once.
 */
export const reachedNodes = (
  store: Pick<Store, "get" | "walk">,
  roots: () => readonly Hash[],
): StoredNodes => {
  const reached = new Set<Hash>();
  const walked = new Set<Hash>();
  return {
    find: async (prefix) => {
      for (const root of roots()) {
        if (walked.has(root)) continue;
        for await (const node of store.walk(root)) {
          reached.add(node.hash);
          if (reached.size >= MOST_NODES) break;
        }
        walked.add(root);
      }
      const found: Node[] = [];
      for (const hash of reached) {
        if (!hash.startsWith(prefix)) continue;
        const node = await store.get(hash);
        if (node !== undefined) found.push(node);
        if (found.length > 1) break;
      }
      return found;
    },
  };
};
