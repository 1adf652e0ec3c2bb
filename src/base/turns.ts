import { setImmediate as nextTurn } from "node:timers/promises";

/** How long this process may do nothing else, in milliseconds. */
const AT_ONCE_MS = 20;

/**
 * Lets the process do something else during long work of its own, by time and not by count: between two pieces of the work,
 * `if (turn.isOver()) await turn.next();`.
 */
export const ownTurn = (): { isOver(): boolean; next(): Promise<void> } => {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since > AT_ONCE_MS,
    next: async () => {
      await nextTurn();
      since = performance.now();
    },
  };
};
