import type { Hash } from "../../base/ids.ts";
import { type ChainRow, historyOf, turnsOf } from "../read-chain.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { payloadRow, type StoredRow } from "./rows.ts";

/** The node itself, the one before it, and so on to the first. */
const chain = {
  name: "chain",
  text: `
    WITH RECURSIVE chain (id, place) AS (
      SELECT id, 0 FROM uwf.node WHERE hash = $1
      UNION ALL
      SELECT node.prev, chain.place + 1 FROM chain JOIN uwf.node ON node.id = chain.id WHERE node.prev IS NOT NULL
    )
    SELECT chain.place, node.hash, node.type, node.body, node.packed,
      result.body AS output, result.packed AS packed_output
    FROM chain JOIN uwf.node ON node.id = chain.id LEFT JOIN uwf.node AS result ON result.id = node.output`,
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
