import type { Hash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import { nodeMissing } from "../read-node.ts";
import type { Connection } from "./connection.ts";
import { type NodeRow, nodeOf, selectNode } from "./rows.ts";

const batch = 200;

const reachable = `
  WITH RECURSIVE reached (id) AS (
    SELECT id FROM node WHERE hash = ? UNION SELECT edge.dst FROM reached JOIN edge ON edge.src = reached.id
  )
  SELECT id FROM reached`;

/**
 * Everything reachable from `hash`, itself first, each once. Bodies are read in batches as they are asked for; what
 * was collected in the meantime is left out. Throws `node-missing` when there is no such node.
 */
export async function* walkFrom(connection: Connection, hash: Hash): AsyncGenerator<Node> {
  const reached = await connection.read((sql) => sql.all<{ id: number }>(reachable, hash));
  if (reached.length === 0) throw nodeMissing(hash);
  for (let begin = 0; begin < reached.length; begin += batch) {
    const ids = reached.slice(begin, begin + batch).map((row) => row.id);
    const query = `${selectNode} WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = await connection.read((sql) => sql.all<NodeRow>(query, JSON.stringify(ids)));
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = found.get(id);
      if (row !== undefined) yield nodeOf(row);
    }
  }
}

/** Every node in the order in which they were stored: each after those that it refers to. */
export async function* allNodes(connection: Connection): AsyncGenerator<Node> {
  for (let last = 0; ; ) {
    const query = `${selectNode} WHERE node.id > ? ORDER BY node.id LIMIT ?`;
    const rows = await connection.read((sql) => sql.all<NodeRow>(query, last, batch));
    yield* rows.map(nodeOf);
    if (rows.length < batch) return;
    last = rows.at(-1)?.id ?? last;
  }
}
