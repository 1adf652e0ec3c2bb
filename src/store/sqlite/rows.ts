import { inputError } from "../../base/errors.ts";
import { type Hash, shortHash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import type { NodeType, Payload } from "../payload.ts";
import { type Body, decodeBody } from "./body.ts";
import type { Sql } from "./connection.ts";

/** `refs` is a JSON array of hashes. */
export type NodeRow = { id: number; hash: Hash; type: NodeType; body: Body; refs: string };

/** Reads `NodeRow`s whole in one statement, so that no other process can write in between; a WHERE follows. */
export const selectNode = `
  SELECT node.id, node.hash, node.type, node.body, (
    SELECT json_group_array(target.hash ORDER BY edge.position)
    FROM edge JOIN node AS target ON target.id = edge.dst WHERE edge.src = node.id
  ) AS refs
  FROM node`;

export const nodeOf = (row: NodeRow): Node =>
  ({ hash: row.hash, type: row.type, payload: parseBody(row.body), refs: JSON.parse(row.refs) }) as Node;

/** What is in the store was validated when it was made, so reading checks nothing. */
export const parseBody = <T extends NodeType>(body: Body): Payload<T> =>
  JSON.parse(decodeBody(body)) as Payload<T>;

/** The row's id of a node that must be there. */
export const idOf = (sql: Sql, hash: Hash): number => {
  const row = sql.one<{ id: number }>("SELECT id FROM node WHERE hash = ?", hash);
  if (row === undefined) throw nodeMissing(hash);
  return row.id;
};

export const nodeMissing = (hash: Hash) =>
  inputError(
    "node-missing",
    `no node ${shortHash(hash)} in the store`,
    "Check the hash; its thread may have been removed.",
  );

export const wrongType = (hash: Hash, found: NodeType, wanted: string) =>
  inputError("node-type", `node ${shortHash(hash)} is a ${found} node, not a ${wanted} node`);
