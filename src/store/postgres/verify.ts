import type { Hash } from "../../base/ids.ts";
import { edgeProblem, inspect } from "../damage.ts";
import type { Damage } from "../store.ts";
import type { Connection } from "./connection.ts";
import { type NodeRow, payloadRow } from "./rows.ts";
import { nodesAfter } from "./walk.ts";

const existing = { name: "existing", text: "SELECT hash FROM uwf.node WHERE hash = ANY ($1)" };

/** Recomputes every hash and looks for every ref, a batch of nodes at a time. */
export async function* verifyAll(connection: Connection): AsyncGenerator<Damage> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rows: NodeRow[] = await nodesAfter(connection, last);
    yield* await damagesOf(connection, rows);
    last = rows.at(-1)?.id;
  }
}

const damagesOf = async (connection: Connection, rows: readonly NodeRow[]): Promise<Damage[]> => {
  const inspected = rows.map((row) => ({ hash: row.hash, ...inspect(payloadRow(row), row.refs) }));
  const refs = [...new Set(inspected.flatMap(({ withoutEdge }) => withoutEdge))];
  const found = refs.length === 0 ? [] : await connection.query<{ hash: Hash }>(existing, [refs]);
  const there = new Set(found.map(({ hash }) => hash));
  return inspected.flatMap(({ hash, problems, withoutEdge }) =>
    [...problems, ...withoutEdge.map((ref) => edgeProblem(ref, there.has(ref) ? "there" : "missing"))].map(
      (problem) => ({ hash, problem }),
    ),
  );
};
