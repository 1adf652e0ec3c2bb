import type { Hash } from "../../base/ids.ts";
import { type ChainRow, historyOf, turnsOf } from "../read-chain.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { payloadRow, type StoredRow } from "./rows.ts";

/**
 * The node itself, the one before it, and so on to the first. The limits keep each look-up by itself: joined as a whole,
 * all nodes of a store that is small yet would be read for it.
 */
const chain = {
  name: "chain",
  text: `
    WITH RECURSIVE chain (id, place) AS (
      SELECT id, 0 FROM uwf.node WHERE hash = $1
      UNION ALL
      SELECT node.prev, chain.place + 1
      FROM chain CROSS JOIN LATERAL (SELECT prev FROM uwf.node WHERE node.id = chain.id LIMIT 1) AS node
      WHERE node.prev IS NOT NULL
    )
    SELECT chain.place, link.hash, link.type, link.body, link.packed,
      result.body AS output, result.packed AS packed_output
    FROM chain
    CROSS JOIN LATERAL (SELECT * FROM uwf.node WHERE node.id = chain.id LIMIT 1) AS link
    LEFT JOIN LATERAL (SELECT * FROM uwf.node WHERE node.id = link.output LIMIT 1) AS result ON true`,
};

type Row = StoredRow & { place: number; output: string | null; packed_output: Buffer | null };

export const chainStore = (connection: Connection): Pick<Store, "turns" | "history"> => {
  const chainTo = async (hash: Hash): Promise<ChainRow[]> => {
    const rows = await connection.query<Row>(chain, [hash]);
    // Sorting here moves no bodies.
    return rows
      .toSorted((a, b) => b.place - a.place)
      .map((row) => ({ ...payloadRow(row), output: row.packed_output ?? row.output }));
  };
  return {
    turns: async (tip) => turnsOf(tip, await chainTo(tip)),
    history: async (head) => historyOf(head, await chainTo(head)),
  };
};
