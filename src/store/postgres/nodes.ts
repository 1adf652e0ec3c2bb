import type { Hash } from "../../base/ids.ts";
import { prefixRange } from "../prefix.ts";
import { nodeMissing, type PayloadRow, payloadOf } from "../read-node.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { codeOf, detailOf } from "./failure.ts";
import { nodeValues } from "./node-values.ts";
import { type NodeRow, nodeOf, payloadRow, type StoredRow, selectNode } from "./rows.ts";

const statements = {
  put: { name: "put", text: "SELECT uwf.put_nodes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)" },
  get: { name: "get", text: `${selectNode} WHERE node.hash = $1` },
  load: {
    name: "load",
    text: "SELECT hash, type, body, packed FROM uwf.node WHERE hash = ANY ($1)",
  },
  find: {
    name: "find nodes",
    text: "SELECT hash FROM uwf.node WHERE hash >= $1 AND hash < $2 ORDER BY hash LIMIT $3",
  },
};

export const nodeStore = (
  connection: Connection,
  time: () => number | null,
): Pick<Store, "put" | "get" | "load" | "loadAll" | "findHashes"> => {
  const loadRows = async (hashes: readonly Hash[]): Promise<Map<Hash, PayloadRow>> => {
    const rows = await connection.query<StoredRow>(statements.load, [hashes]);
    return new Map(rows.map((row) => [row.hash, payloadRow(row)]));
  };
  return {
    put: async (nodes) => {
      const values = nodeValues(nodes);
      await connection.query(statements.put, [...values, time()]).catch(throwMissing);
    },
    get: async (hash) => {
      const [row] = await connection.query<NodeRow>(statements.get, [hash]);
      return row === undefined ? undefined : nodeOf(row);
    },
    load: async (type, hash) => payloadOf(type, hash, (await loadRows([hash])).get(hash)),
    loadAll: async (type, hashes) => {
      const rows = hashes.length === 0 ? new Map<Hash, PayloadRow>() : await loadRows(hashes);
      return hashes.map((hash) => payloadOf(type, hash, rows.get(hash)));
    },
    findHashes: async (prefix, limit) => {
      const { from, to } = prefixRange(prefix);
      const rows = await connection.query<{ hash: Hash }>(statements.find, [from, to, limit]);
      return rows.map((row) => row.hash);
    },
  };
};

/** What the schema's functions raise when a node is missing, as an `AppError`; anything else as it is. */
export const throwMissing = (error: unknown): never => {
  if (codeOf(error) === "UW001") throw nodeMissing(detailOf(error) as Hash);
  throw error;
};
