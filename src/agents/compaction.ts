import type { ChatMessage, Model, ToolDefinition } from "../llm/model.ts";
import { estimateRequest, estimateTokens } from "../llm/tokens.ts";
import type { NewTurn } from "./adapter.ts";
import { maskedCalls, maskOf, visibleTurns } from "./messages.ts";
import type { ReplyTurn, ToolTurn } from "./rounds.ts";

/** What a compaction turn will say: results to mask, and how many turns stay before it when the rest is summarised. */
export type CompactionPlan = { masked: string[]; summarize: { kept: number; gone: NewTurn[] } | null };

type Window = Pick<Model, "contextTokens" | "maxOutputTokens">;

/** Tokens that the messages may take: the rest of the window is for the reply. */
const roomOf = ({ contextTokens, maxOutputTokens }: Window): number =>
  Math.max(contextTokens - maxOutputTokens, Math.floor(contextTokens / 4));

const TRIGGER = 0.8;
/** Absolute amounts suit large windows; in a small one the shares hold. */
const spared = (room: number): number => Math.min(40_000, room * 0.4);
const worthMasking = (room: number): number => Math.min(20_000, room * 0.2);
const keptTail = (room: number): number => Math.min(20_000, room * 0.2);

/**
 * Tokens that the next request takes: what the provider counted for the last one, and an estimate of what was
 * added since. Everything is estimated when nothing was counted since the context last changed.
 */
export const contextSize = (
  turns: readonly NewTurn[],
  request: () => { messages: readonly ChatMessage[]; tools: readonly ToolDefinition[] },
): number => {
  const at = turns.findLastIndex((turn) => turn.kind === "reply" || turn.kind === "compaction");
  const last = turns[at];
  if (last?.kind !== "reply" || last.usage.inputTokens === 0) return estimateRequest(request());
  const since = turns.slice(at + 1).reduce((sum, turn) => sum + turnTokens(turn), 0);
  return last.usage.inputTokens + last.usage.outputTokens + since;
};

/** True when the next request would leave less than a fifth of the room for messages free. */
export const needsCompaction = (size: number, window: Window): boolean => size > TRIGGER * roomOf(window);

/**
 * How to make room. Masking old results comes first, because it loses least; when it wins too little, all but
 * the task and the last rounds is summarised. After an overflow (`size` null) the count was wrong: the most is
 * done. Null when nothing can be won.
 */
export const planCompaction = (
  turns: readonly NewTurn[],
  { size, window }: { size: number | null; window: Window },
): CompactionPlan | null => {
  const room = roomOf(window);
  const { shown, start } = visibleTurns(turns);
  const groups = groupsOf(shown);
  if (size !== null) {
    const { masked, won } = oldResults(groups, { room, turns });
    if (won >= worthMasking(room) && !needsCompaction(size - won, window)) return { masked, summarize: null };
  }
  const kept = keptGroups(groups, size === null ? 0 : keptTail(room));
  const gone = groups.slice(0, groups.length - kept.length).flat();
  const masked = kept.length === 1 ? oversized(kept[0] ?? [], { most: room / 4, turns }) : [];
  if (gone.length === 0) return masked.length === 0 ? null : { masked, summarize: null };
  const first = kept[0]?.[0];
  const from = first === undefined ? turns.length : turns.indexOf(first, start);
  return { masked, summarize: { kept: turns.length - from, gone } };
};

/** A reply with its results and what was told after it: what must stay or go as a whole. */
const groupsOf = (shown: readonly NewTurn[]): NewTurn[][] => {
  const groups: NewTurn[][] = [];
  for (const turn of shown) {
    const group = groups.at(-1);
    if (group === undefined || turn.kind === "reply") groups.push([turn]);
    else group.push(turn);
  }
  return groups;
};

/** The last groups that fit into `most` tokens, the last one in any case: the model must know where it is. */
const keptGroups = (groups: readonly NewTurn[][], most: number): NewTurn[][] => {
  const kept: NewTurn[][] = [];
  let total = 0;
  for (const group of groups.toReversed()) {
    total += groupTokens(group);
    if (kept.length > 0 && total > most) break;
    kept.unshift(group);
  }
  return kept;
};

/** Results older than the newest that are spared, and the tokens that masking them wins. */
const oldResults = (
  groups: readonly NewTurn[][],
  { room, turns }: { room: number; turns: readonly NewTurn[] },
): { masked: string[]; won: number } => {
  const done = maskedCalls(turns);
  const masked: string[] = [];
  let won = 0;
  let newer = groupTokens((groups.at(-1) ?? []).filter((turn) => turn.kind === "tool"));
  for (const turn of groups.slice(0, -1).flat().toReversed()) {
    if (turn.kind !== "tool" || done.has(turn.callId)) continue;
    newer += turnTokens(turn);
    const win = turnTokens(turn) - estimateTokens(maskOf(callOf(turn, turns)));
    if (newer <= spared(room) || win <= 0) continue;
    masked.unshift(turn.callId);
    won += win;
  }
  return { masked, won };
};

/** The largest results of a group, until the rest fits into `most` tokens. */
const oversized = (
  group: readonly NewTurn[],
  { most, turns }: { most: number; turns: readonly NewTurn[] },
): string[] => {
  const done = maskedCalls(turns);
  const results = group.filter((turn) => turn.kind === "tool" && !done.has(turn.callId)) as ToolTurn[];
  const masked: string[] = [];
  let total = groupTokens(group.filter((turn) => turn.kind !== "tool")) + groupTokens(results);
  for (const turn of results.toSorted((a, b) => turnTokens(b) - turnTokens(a))) {
    if (total <= most) break;
    masked.push(turn.callId);
    total -= turnTokens(turn) - estimateTokens(maskOf(callOf(turn, turns)));
  }
  return masked;
};

const callOf = (turn: ToolTurn, turns: readonly NewTurn[]): { name: string; arguments: string } =>
  turns
    .filter((other): other is ReplyTurn => other.kind === "reply")
    .flatMap((reply) => reply.toolCalls)
    .find((call) => call.id === turn.callId) ?? { name: turn.name, arguments: "" };

const groupTokens = (group: readonly NewTurn[]): number =>
  group.reduce((sum, turn) => sum + turnTokens(turn), 0);

const turnTokens = (turn: NewTurn): number => {
  switch (turn.kind) {
    case "message":
    case "tool":
      return estimateTokens(turn.text);
    case "reply":
      return (
        estimateTokens(turn.content) +
        estimateTokens(JSON.stringify(turn.reasoning ?? "")) +
        turn.toolCalls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0)
      );
    case "compaction":
      return estimateTokens(turn.summary);
    case "lost":
    case "state":
    case "child":
      return 0;
  }
};
