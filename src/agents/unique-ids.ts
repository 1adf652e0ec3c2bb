import type { ToolCall } from "../llm/model.ts";
import type { NewTurn } from "./adapter.ts";

/**
 * The calls of a new reply under ids that no earlier call of the step has: some providers count from zero in every
 * reply, or give none. Results, cut-off calls and masks are found by these ids.
 */
export const withUniqueIds = (calls: readonly ToolCall[], turns: readonly NewTurn[]): ToolCall[] => {
  const used = new Set(
    turns.flatMap((turn) => (turn.kind === "reply" ? turn.toolCalls.map((call) => call.id) : [])),
  );
  return calls.map((call) => {
    const wanted = call.id.trim() === "" ? "call" : call.id.toWellFormed();
    let id = wanted;
    for (let n = 2; used.has(id); n++) id = `${wanted}-${n}`;
    used.add(id);
    return { id, name: call.name.toWellFormed(), arguments: call.arguments.toWellFormed() };
  });
};
