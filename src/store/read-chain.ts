import type { Hash } from "../base/ids.ts";
import type { Body } from "./body.ts";
import type { Payload } from "./payload.ts";
import { nodeMissing, type PayloadRow, parseBody, wrongType } from "./read-node.ts";
import type { History, StepRecord } from "./store.ts";

/** A node of a chain as an adapter reads it, with the body of its output. */
export type ChainRow = PayloadRow & { output: Body | null };

/** The turns of the chain that leads to `tip`, given oldest first. Throws `node-missing` or `node-type`. */
export const turnsOf = (tip: Hash, rows: readonly ChainRow[]): Payload<"turn">[] => {
  if (rows.length === 0) throw nodeMissing(tip);
  return rows.map((row) => {
    if (row.type !== "turn") throw wrongType(row.hash, row.type, "turn");
    return parseBody<"turn">(row.body);
  });
};

/** The history of the chain that leads to `head`, given oldest first: a fork's begins with its own start. Throws `node-missing` or `node-type`. */
export const historyOf = (head: Hash, rows: readonly ChainRow[]): History => {
  let start: History["start"] | undefined;
  let end: History["end"] = null;
  let shared = 0;
  const steps: StepRecord[] = [];
  for (const row of rows) {
    if (row.type === "thread-start") {
      start = parseBody<"thread-start">(row.body);
      shared = steps.length;
    } else if (row.type === "thread-end") end = parseBody<"thread-end">(row.body);
    else if (row.type === "step" && row.output !== null)
      steps.push({
        hash: row.hash,
        step: parseBody<"step">(row.body),
        output: parseBody<"output">(row.output).value,
      });
    else throw wrongType(row.hash, row.type, "step");
  }
  if (start === undefined) throw nodeMissing(head);
  return { start, steps, shared, end };
};
