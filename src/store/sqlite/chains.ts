import type { Hash } from "../../base/ids.ts";
import type { NodeType } from "../payload.ts";
import type { History, StepRecord, Store } from "../store.ts";
import type { Body } from "./body.ts";
import type { Connection, Sql } from "./connection.ts";
import { nodeMissing, parseBody, wrongType } from "./rows.ts";

type ChainRow = { hash: Hash; type: NodeType; body: Body; output: Body | null };

/** Newest first: the node itself, the one before it, and so on to the first. */
const chain = `
  WITH RECURSIVE chain (id, place) AS (
    SELECT id, 0 FROM node WHERE hash = ?
    UNION ALL
    SELECT node.prev, chain.place + 1 FROM chain JOIN node ON node.id = chain.id WHERE node.prev IS NOT NULL
  )
  SELECT node.hash, node.type, node.body, result.body AS output
  FROM chain JOIN node ON node.id = chain.id LEFT JOIN node AS result ON result.id = node.output
  ORDER BY chain.place`;

export const chainStore = (connection: Connection): Pick<Store, "turns" | "history"> => ({
  turns: async (tip) => {
    const rows = await connection.read((sql) => chainTo(sql, tip));
    return rows.reverse().map((row) => {
      if (row.type !== "turn") throw wrongType(row.hash, row.type, "turn");
      return parseBody<"turn">(row.body);
    });
  },
  history: async (head) => historyOf(head, await connection.read((sql) => chainTo(sql, head))),
});

const chainTo = (sql: Sql, hash: Hash): ChainRow[] => {
  const rows = sql.all<ChainRow>(chain, hash);
  if (rows.length === 0) throw nodeMissing(hash);
  return rows;
};

const historyOf = (head: Hash, rows: ChainRow[]): History => {
  let start: History["start"] | undefined;
  let end: History["end"] = null;
  const steps: StepRecord[] = [];
  for (const row of rows.reverse()) {
    if (row.type === "thread-start") start = parseBody<"thread-start">(row.body);
    else if (row.type === "thread-end") end = parseBody<"thread-end">(row.body);
    else if (row.type === "step" && row.output !== null)
      steps.push({
        hash: row.hash,
        step: parseBody<"step">(row.body),
        output: parseBody<"output">(row.output).value,
      });
    else throw wrongType(row.hash, row.type, "step");
  }
  if (start === undefined) throw nodeMissing(head);
  return { start, steps, end };
};
