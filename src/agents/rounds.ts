import type { ToolCall } from "../llm/model.ts";
import type { NewTurn } from "./adapter.ts";
import { parseArguments } from "./parse-arguments.ts";

type TurnOf<K extends NewTurn["kind"]> = Extract<NewTurn, { kind: K }>;
export type ReplyTurn = TurnOf<"reply">;
export type ToolTurn = TurnOf<"tool">;
export type CompactionTurn = TurnOf<"compaction">;

/** One reply of the model with everything that followed before the next one. */
export type Round = {
  /** Where the reply stands among the turns. */
  index: number;
  reply: ReplyTurn;
  /** What the model was told before it gave this reply, since the reply before. */
  before: readonly string[];
  /** What it was told after it. */
  after: readonly string[];
  /** Calls that count: those of a reply that was cut off in the middle of their JSON are dropped. */
  calls: readonly ToolCall[];
  dropped: readonly ToolCall[];
  results: ReadonlyMap<string, ToolTurn>;
  /** The context was compacted after this reply. */
  compacted: boolean;
};

/** `opening` is what the model was told after the task and before its first reply. */
export type Rounds = { opening: readonly string[]; rounds: readonly Round[] };

/** Reads a step's turns as rounds. The first turn is the task. */
export const roundsOf = (turns: readonly NewTurn[]): Rounds => {
  const opening: string[] = [];
  const rounds: Round[] = [];
  let told = opening;
  let results = new Map<string, ToolTurn>();
  turns.slice(1).forEach((turn, offset) => {
    const last = rounds.at(-1);
    switch (turn.kind) {
      case "message":
        told.push(turn.text);
        return;
      case "tool":
        results.set(turn.callId, turn);
        return;
      case "compaction":
        if (last) last.compacted = true;
        return;
      case "reply": {
        const before = told;
        told = [];
        results = new Map();
        rounds.push({
          index: offset + 1,
          reply: turn,
          before,
          after: told,
          ...sortCalls(turn),
          results,
          compacted: false,
        });
      }
    }
  });
  return { opening, rounds };
};

/** A reply that hit the output limit may end in the middle of a call: that call never was. */
export const sortCalls = (
  reply: Pick<ReplyTurn, "finish" | "toolCalls">,
): { calls: ToolCall[]; dropped: ToolCall[] } => {
  const isCut = (call: ToolCall): boolean =>
    reply.finish === "length" && (call.arguments.trim() === "" || !parseArguments(call.arguments).ok);
  return {
    calls: reply.toolCalls.filter((call) => !isCut(call)),
    dropped: reply.toolCalls.filter(isCut),
  };
};

export const pendingCalls = (round: Round): ToolCall[] =>
  round.calls.filter((call) => !round.results.has(call.id));
