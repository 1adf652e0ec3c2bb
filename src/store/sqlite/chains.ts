import type { Hash } from "../../base/ids.ts";
import { type ChainRow, historyOf, turnsOf } from "../read-chain.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";

/** Oldest first: the first node of the chain, the one after it, and so on to the one asked for. */
const chain = `
  WITH RECURSIVE chain (id, place) AS (
    SELECT id, 0 FROM node WHERE hash = ?
    UNION ALL
    SELECT node.prev, chain.place + 1 FROM chain JOIN node ON node.id = chain.id WHERE node.prev IS NOT NULL
  )
  SELECT node.hash, node.type, node.body, result.body AS output
  FROM chain JOIN node ON node.id = chain.id LEFT JOIN node AS result ON result.id = node.output
  ORDER BY chain.place DESC`;

export const chainStore = (connection: Connection): Pick<Store, "turns" | "history"> => {
  const chainTo = (hash: Hash) => connection.read((sql) => sql.all<ChainRow>(chain, hash));
  return {
    turns: async (tip) => turnsOf(tip, await chainTo(tip)),
    history: async (head) => historyOf(head, await chainTo(head)),
  };
};
