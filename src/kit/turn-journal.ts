import type { Journal, NewTurn } from "../agents/adapter.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Store } from "../store/store.ts";

export type TurnJournal = Journal & { tip(): Hash | null };

/** The turns of a step that an agent stores itself, in a chain of its own. Nobody goes on from it. */
export const turnJournal = (
  store: Pick<Store, "put">,
  spent: (turns: readonly NewTurn[]) => string | null = () => null,
): TurnJournal => {
  const turns: NewTurn[] = [];
  let tip: Hash | null = null;
  return {
    turns,
    cutOff: new Set(),
    tip: () => tip,
    append: async (turn) => {
      const node = makeNode("turn", { ...turn, prev: tip });
      await store.put([node]);
      tip = node.hash;
      turns.push(turn);
    },
    begin: async () => undefined,
    capture: async () => null,
    spent: () => spent(turns),
  };
};
