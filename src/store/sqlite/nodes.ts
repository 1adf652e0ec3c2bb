import type { Hash } from "../../base/ids.ts";
import { type EncodedNode, encodeNodes } from "../encode.ts";
import { prefixRange } from "../prefix.ts";
import { nodeMissing, type PayloadRow, payloadOf } from "../read-node.ts";
import { RENEWED_EACH_MS } from "../renewal.ts";
import type { Store } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";
import { type NodeRow, nodeOf, selectNode } from "./rows.ts";

export const nodeStore = (
  connection: Connection,
  now: () => number,
): Pick<Store, "put" | "get" | "load" | "loadAll" | "findHashes"> => ({
  put: async (nodes) => {
    const encoded = encodeNodes(nodes);
    await connection.write((sql) => insertNodes(sql, encoded, now()));
  },
  get: async (hash) => {
    const row = await connection.read((sql) => sql.one<NodeRow>(`${selectNode} WHERE hash = ?`, hash));
    return row === undefined ? undefined : nodeOf(row);
  },
  load: async (type, hash) => {
    const query = "SELECT hash, type, body FROM node WHERE hash = ?";
    return payloadOf(type, hash, await connection.read((sql) => sql.one<PayloadRow>(query, hash)));
  },
  loadAll: async (type, hashes) => {
    const query = "SELECT hash, type, body FROM node WHERE hash IN (SELECT value FROM json_each(?))";
    const rows = await connection.read((sql) => sql.all<PayloadRow>(query, JSON.stringify(hashes)));
    const found = new Map(rows.map((row) => [row.hash, row]));
    return hashes.map((hash) => payloadOf(type, hash, found.get(hash)));
  },
  findHashes: async (prefix, limit) => {
    const { from, to } = prefixRange(prefix);
    const query = "SELECT hash FROM node WHERE hash >= ? AND hash < ? ORDER BY hash LIMIT ?";
    const rows = await connection.read((sql) => sql.all<{ hash: Hash }>(query, from, to, limit));
    return rows.map((row) => row.hash);
  },
});

/** Stores nodes inside a running transaction; those that are there already only get younger. */
export const insertNodes = (sql: Sql, nodes: readonly EncodedNode[], time: number): void => {
  for (const node of nodes) insertNode(sql, node, time);
};

const insertNode = (sql: Sql, { hash, type, prev, output, body, refs }: EncodedNode, time: number): void => {
  const insert = `INSERT INTO node (hash, type, prev, output, renewed_at, body)
    VALUES (?, ?, (SELECT id FROM node WHERE hash = ?), (SELECT id FROM node WHERE hash = ?), ?, ?)
    ON CONFLICT (hash) DO NOTHING`;
  const { changes, id } = sql.run(insert, hash, type, prev, output, time, body);
  if (changes === 0) {
    renewNode(sql, hash, time);
    return;
  }
  for (const [position, ref] of refs.entries()) {
    const edge = "INSERT INTO edge (src, position, dst) SELECT ?, ?, id FROM node WHERE hash = ?";
    if (sql.run(edge, id, position, ref).changes === 0) throw nodeMissing(ref);
  }
};

/** Makes a node younger, if it is there. */
export const renewNode = (sql: Sql, hash: Hash, time: number): void => {
  const renew = "UPDATE node SET renewed_at = ? WHERE hash = ? AND renewed_at < ?";
  sql.run(renew, time, hash, time - RENEWED_EACH_MS);
};
