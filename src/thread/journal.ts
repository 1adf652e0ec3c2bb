import type { Journal, NewTurn } from "../agents/adapter.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { ThreadChange, ThreadRecord } from "../store/store.ts";
import type { Control } from "./control.ts";
import type { Engine } from "./engine.ts";
import { Interruption } from "./interruption.ts";
import type { StepBudget } from "./step-budget.ts";

export type StoreJournal = Journal & { tip(): Hash | null };

type JournalParts = {
  control: Control;
  budget: Pick<StepBudget, "spent" | "room">;
  /** See `earliestTurn`: no turn is dated before, whatever this machine's clock says. */
  earliest: number;
  capture: Journal["capture"];
};

/** The journal of the thread's step under way: each turn is a node, and the thread's tip moves with it. */
export const openJournal = async (
  engine: Engine,
  record: ThreadRecord,
  { control, budget, earliest, capture }: JournalParts,
): Promise<StoreJournal> => {
  let { tip, begun } = record;
  const turns: NewTurn[] =
    tip === null ? [] : (await engine.store.turns(tip)).map(({ prev: _, ...turn }) => turn as NewTurn);
  const cutOff = new Set(begun);
  let last: Promise<void> = Promise.resolve();

  const move = async (
    change: ThreadChange,
    nodes: Parameters<Engine["store"]["advance"]>[3],
  ): Promise<void> => {
    const expected = { head: record.head, tip, holder: engine.holder };
    const moved = await engine.store.advance(record.id, expected, change, nodes);
    if (moved === undefined) throw new Interruption("moved", "Another process moved the thread.");
    ({ tip, begun } = moved);
    control.saw(moved);
  };
  /** One write at a time: each one expects what the one before has left. */
  const inTurn = (write: () => Promise<void>): Promise<void> => {
    const mine = last.then(write);
    // Whoever asked for the write is told that it failed; the next one has its turn all the same.
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    turns,
    cutOff,
    tip: () => tip,
    append: (turn) =>
      inTurn(async () => {
        const dated = { ...turn, at: Math.max(turn.at, earliest) };
        const node = makeNode("turn", { ...dated, prev: tip });
        const rest = turn.kind === "tool" ? begun.filter((id) => id !== turn.callId) : begun;
        await move({ tip: node.hash, begun: rest }, [node]);
        turns.push(dated);
      }),
    begin: (callIds) =>
      inTurn(async () => {
        control.checkpoint();
        await move({ begun: [...begun, ...callIds] }, []);
      }),
    capture,
    spent: (next) => budget.spent(turns, next),
    room: () => budget.room(turns),
  };
};
