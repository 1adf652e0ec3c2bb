import type { Journal, NewTurn } from "./adapter.ts";

/** What `memoryJournal` makes. */
export type MemoryJournal = Journal & {
  /** Calls that have begun and have no result: the `cutOff` of whoever goes on from here. */
  readonly begun: ReadonlySet<string>;
};

/** A journal that lasts as long as the process: for tests, and for programs that use the agents without a store. */
export const memoryJournal = (
  turns: readonly NewTurn[] = [],
  cutOff: Iterable<string> = [],
): MemoryJournal => {
  const stored = [...turns];
  const begun = new Set(cutOff);
  return {
    turns: stored,
    cutOff: new Set(begun),
    begun,
    append: async (turn) => {
      stored.push(turn);
      if (turn.kind === "tool") begun.delete(turn.callId);
    },
    begin: async (callIds) => {
      for (const id of callIds) begun.add(id);
    },
    capture: async () => null,
    spent: () => null,
    room: () => null,
  };
};
