import type { Hash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import type { NodeType } from "../payload.ts";
import { type Body, decodeBody } from "./body.ts";
import type { Connection, Sql } from "./connection.ts";
import { idOf } from "./nodes.ts";

const batch = 200;

const reachable = `
  WITH RECURSIVE reached (id) AS (
    VALUES (?) UNION SELECT edge.dst FROM reached JOIN edge ON edge.src = reached.id
  )
  SELECT id FROM reached`;

/** Everything reachable from `hash`, itself first, each once; bodies are read in batches as they are asked for. */
export async function* walkFrom(connection: Connection, hash: Hash): AsyncGenerator<Node> {
  const ids = await connection.read((sql) =>
    sql.all<{ id: number }>(reachable, idOf(sql, hash)).map((row) => row.id),
  );
  for (let begin = 0; begin < ids.length; begin += batch) {
    const some = ids.slice(begin, begin + batch);
    yield* await connection.read((sql) => nodesOf(sql, some));
  }
}

/** Nodes by row id, in the order asked; those that are gone by now are left out. */
const nodesOf = (sql: Sql, ids: readonly number[]): Node[] => {
  const list = JSON.stringify(ids);
  const rows = sql.all<{ id: number; hash: Hash; type: NodeType; body: Body }>(
    "SELECT id, hash, type, body FROM node WHERE id IN (SELECT value FROM json_each(?))",
    list,
  );
  const refs = new Map<number, Hash[]>(rows.map((row) => [row.id, []]));
  const edges = sql.all<{ src: number; hash: Hash }>(
    `SELECT edge.src, node.hash FROM edge JOIN node ON node.id = edge.dst
     WHERE edge.src IN (SELECT value FROM json_each(?)) ORDER BY edge.src, edge.position`,
    list,
  );
  for (const edge of edges) refs.get(edge.src)?.push(edge.hash);
  const nodes = new Map(
    rows.map((row) => [
      row.id,
      {
        hash: row.hash,
        type: row.type,
        payload: JSON.parse(decodeBody(row.body)),
        refs: refs.get(row.id),
      } as Node,
    ]),
  );
  return ids.flatMap((id) => nodes.get(id) ?? []);
};
