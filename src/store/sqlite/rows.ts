import type { Hash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import { nodeMissing, type PayloadRow, parseBody } from "../read-node.ts";
import type { Sql } from "./connection.ts";

/** `refs` is a JSON array of hashes. */
export type NodeRow = PayloadRow & { id: number; refs: string };

/** Reads `NodeRow`s whole in one statement, so that no other process can write in between; a WHERE follows. */
export const selectNode = `
  SELECT node.id, node.hash, node.type, node.body, (
    SELECT json_group_array(target.hash ORDER BY edge.position)
    FROM edge JOIN node AS target ON target.id = edge.dst WHERE edge.src = node.id
  ) AS refs
  FROM node`;

export const nodeOf = (row: NodeRow): Node =>
  ({ hash: row.hash, type: row.type, payload: parseBody(row.body), refs: JSON.parse(row.refs) }) as Node;

/** The row's id of a node that must be there. */
export const idOf = (sql: Sql, hash: Hash): number => {
  const row = sql.one<{ id: number }>("SELECT id FROM node WHERE hash = ?", hash);
  if (row === undefined) throw nodeMissing(hash);
  return row.id;
};
