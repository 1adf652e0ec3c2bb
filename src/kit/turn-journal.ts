import type { Journal, NewTurn } from "../agents/adapter.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import type { StepBudget } from "../thread/step-budget.ts";
import type { TellEngine } from "./tell-engine.ts";

export type TurnJournal = Journal & { tip(): Hash | null };

type JournalParts = {
  store: Pick<Store, "put">;
  /** Told what each turn has used. */
  tell: TellEngine;
  budget?: Pick<StepBudget, "spent" | "room">;
};

/** The turns of a step that an agent stores itself, in a chain of its own. Nobody goes on from it. */
export const turnJournal = ({ store, tell, budget }: JournalParts): TurnJournal => {
  const turns: NewTurn[] = [];
  let tip: Hash | null = null;
  return {
    turns,
    cutOff: new Set(),
    tip: () => tip,
    append: async (turn) => {
      const node = makeNode("turn", { ...turn, prev: tip });
      if ("usage" in turn && turn.usage) await tell({ usage: turn.usage });
      await store.put([node]);
      tip = node.hash;
      turns.push(turn);
    },
    begin: async () => undefined,
    capture: async () => null,
    spent: (next) => budget?.spent(turns, next) ?? null,
    room: () => budget?.room(turns) ?? null,
  };
};
