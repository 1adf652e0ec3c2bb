import type { Hash } from "../../base/ids.ts";
import type { Body } from "../body.ts";
import type { Node } from "../node.ts";
import type { NodeType } from "../payload.ts";
import { type PayloadRow, parseBody } from "../read-node.ts";

/** One of `body` and `packed` is there. */
export type StoredBody = { body: string | null; packed: Buffer | null };

export type StoredRow = StoredBody & { hash: Hash; type: NodeType };

export type NodeRow = StoredRow & { id: number; refs: Hash[] };

const bodyOf = ({ body, packed }: StoredBody): Body => packed ?? body ?? "";

export const payloadRow = (row: StoredRow): PayloadRow => ({
  hash: row.hash,
  type: row.type,
  body: bodyOf(row),
});

/** Reads `NodeRow`s whole in one statement, so that nobody can write in between; a WHERE follows. */
export const selectNode = `
  SELECT node.id, node.hash, node.type, node.body, node.packed, ARRAY(
    SELECT target.hash FROM unnest(node.refs) WITH ORDINALITY AS ref (id, place)
    JOIN uwf.node AS target ON target.id = ref.id ORDER BY ref.place
  ) AS refs
  FROM uwf.node`;

export const nodeOf = (row: NodeRow): Node =>
  ({ hash: row.hash, type: row.type, payload: parseBody(bodyOf(row)), refs: row.refs }) as Node;
