import { isObject } from "../base/json.ts";
import type { ChatMessage, ToolCall } from "../llm/model.ts";
import type { NewTurn } from "./adapter.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type CompactionTurn, type ReplyTurn, sortCalls, type ToolTurn } from "./rounds.ts";

/**
 * What the model is sent: the system prompt, then one message per turn. The same turns make the same messages,
 * byte for byte, and a further turn only adds to their end, so that providers can cache the prefix; a
 * compaction turn is the one thing that begins a new prefix.
 */
export const messagesOf = (system: string, turns: readonly NewTurn[]): ChatMessage[] => {
  const { summary, shown } = visibleTurns(turns);
  const results = new Map(shown.filter((turn) => turn.kind === "tool").map((turn) => [turn.callId, turn]));
  const masked = maskedCalls(turns);
  const [task] = turns;
  return [
    { role: "system", content: system },
    ...(task?.kind === "message" ? [{ role: "user" as const, content: task.text }] : []),
    ...(summary === null ? [] : [{ role: "user" as const, content: summaryMessage(summary) }]),
    ...shown.flatMap((turn): ChatMessage[] => {
      if (turn.kind === "message") return [{ role: "user", content: turn.text }];
      return turn.kind === "reply" ? replyMessages(turn, { results, masked }) : [];
    }),
  ];
};

/** The turns after the task that the model sees one by one, and the summary that stands for those before. */
export const visibleTurns = (
  turns: readonly NewTurn[],
): { summary: string | null; start: number; shown: Exclude<NewTurn, CompactionTurn>[] } => {
  const at = turns.findLastIndex((turn) => turn.kind === "compaction" && turn.summary !== "");
  const compaction = turns[at];
  const summary = compaction?.kind === "compaction" ? compaction.summary : null;
  const start = compaction?.kind === "compaction" ? Math.max(1, at - compaction.kept) : 1;
  return { summary, start, shown: turns.slice(start).filter((turn) => turn.kind !== "compaction") };
};

/** Ids of the calls whose results have been taken out of sight. */
export const maskedCalls = (turns: readonly NewTurn[]): ReadonlySet<string> =>
  new Set(turns.flatMap((turn) => (turn.kind === "compaction" ? turn.masked : [])));

/** What stands in the place of a result that was taken out of sight. */
export const maskOf = (call: Pick<ToolCall, "name" | "arguments">): string =>
  `[The result of ${callLabel(call)} was removed to make room. Make the call again if you need it.]`;

/** A call on one short line, for texts that name it. */
export const callLabel = (call: Pick<ToolCall, "name" | "arguments">): string => {
  const args = call.arguments.replace(/\s+/g, " ").trim();
  return `${call.name} ${args.length > 200 ? `${args.slice(0, 200).toWellFormed()}…` : args}`.trim();
};

const summaryMessage = (summary: string): string =>
  `The earlier part of this work was summarised to make room:\n\n${summary}\n\n` +
  "Go on from there. Files that you read before must be read again before you edit them.";

/** A reply and the results of its calls, in the order of the calls. */
const replyMessages = (
  turn: ReplyTurn,
  { results, masked }: { results: ReadonlyMap<string, ToolTurn>; masked: ReadonlySet<string> },
): ChatMessage[] => {
  const { calls } = sortCalls(turn);
  // Providers refuse assistant messages with neither text nor calls.
  const content = turn.content.trim() === "" && calls.length === 0 ? "(empty reply)" : turn.content;
  return [
    { role: "assistant", content, toolCalls: calls.map(sendable), reasoning: turn.reasoning },
    ...calls.flatMap((call): ChatMessage[] => {
      const result = results.get(call.id);
      if (result === undefined) return [];
      return [{ role: "tool", callId: call.id, content: masked.has(call.id) ? maskOf(call) : result.text }];
    }),
  ];
};

/** Providers refuse a history with odd tool names, or with arguments that are no JSON object: both are made fit. */
const sendable = (call: ToolCall): ToolCall => {
  const name = call.name.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
  if (isJsonObject(call.arguments)) return { ...call, name };
  const parsed = parseArguments(call.arguments);
  return { ...call, name, arguments: JSON.stringify(parsed.ok ? parsed.value : { invalid: call.arguments }) };
};

const isJsonObject = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};
