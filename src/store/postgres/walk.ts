import type { Hash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import { nodeMissing } from "../read-node.ts";
import type { Connection } from "./connection.ts";
import { type NodeRow, nodeOf, selectNode } from "./rows.ts";

const BATCH = 200;

const statements = {
  reachable: {
    name: "reachable",
    text: `
      WITH RECURSIVE reached (id) AS (
        SELECT id FROM uwf.node WHERE hash = $1
        UNION SELECT unnest(node.refs) FROM reached JOIN uwf.node ON node.id = reached.id
      )
      SELECT id FROM reached`,
  },
  some: { name: "some nodes", text: `${selectNode} WHERE node.id = ANY ($1)` },
  page: { name: "page of nodes", text: `${selectNode} WHERE node.id > $1 ORDER BY node.id LIMIT ${BATCH}` },
};

/** Finding out what a great thread reaches takes seconds. */
const REACHABLE_MS = 60_000;

/**
 * Everything reachable from `hash`, itself first, each once. Bodies are read in batches as they are asked for; what
 * was collected in the meantime is left out. Throws `node-missing` when there is no such node.
 */
export async function* walkFrom(connection: Connection, hash: Hash): AsyncGenerator<Node> {
  const options = { answerMs: REACHABLE_MS };
  const reached = await connection.query<{ id: number }>(statements.reachable, [hash], options);
  if (reached.length === 0) throw nodeMissing(hash);
  for (let begin = 0; begin < reached.length; begin += BATCH) {
    const ids = reached.slice(begin, begin + BATCH).map((row) => row.id);
    const rows = await connection.query<NodeRow>(statements.some, [ids]);
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = found.get(id);
      if (row !== undefined) yield nodeOf(row);
    }
  }
}

/** Every node by its id: each after those that it refers to. */
export const allNodes = (connection: Connection): AsyncGenerator<Node> =>
  connection.snapshot(async function* (run) {
    for (let last = 0; ; ) {
      const rows = await run<NodeRow>(statements.page, [last]);
      yield* rows.map(nodeOf);
      if (rows.length < BATCH) return;
      last = rows.at(-1)?.id ?? last;
    }
  });

/** The nodes after `last`, in the order of their ids. */
export const nodesAfter = (connection: Connection, last: number): Promise<NodeRow[]> =>
  connection.query<NodeRow>(statements.page, [last]);
