import type { Hash } from "../../base/ids.ts";
import { edgeProblem, inspect } from "../damage.ts";
import type { Damage } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";
import { type NodeRow, selectNode } from "./rows.ts";

const batch = 200;

/** Recomputes every hash and looks for every ref, a batch of nodes at a time. */
export async function* verifyAll(connection: Connection): AsyncGenerator<Damage> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    const { rows, damages } = await connection.read((sql) => verifyAfter(sql, after));
    yield* damages;
    last = rows.at(-1)?.id;
  }
}

const verifyAfter = (sql: Sql, last: number): { rows: NodeRow[]; damages: Damage[] } => {
  const rows = sql.all<NodeRow>(`${selectNode} WHERE id > ? ORDER BY id LIMIT ?`, last, batch);
  const damages = rows.flatMap((row) => problemsOf(sql, row).map((problem) => ({ hash: row.hash, problem })));
  return { rows, damages };
};

const problemsOf = (sql: Sql, row: NodeRow): string[] => {
  const { problems, withoutEdge } = inspect(row, JSON.parse(row.refs) as Hash[]);
  const isThere = (ref: Hash) => sql.one("SELECT 1 FROM node WHERE hash = ?", ref) !== undefined;
  return [...problems, ...withoutEdge.map((ref) => edgeProblem(ref, isThere(ref) ? "there" : "missing"))];
};
