import type { Node } from "../store/node.ts";

/**
 * What a role may look up in the store: nodes that its own thread reaches, and no others. Answers those whose hash begins so,
 * two at most.
 */
export type StoredNodes = { find(prefix: string): Promise<Node[]> };

export const noNodes: StoredNodes = { find: async () => [] };
