import { messageOf } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import { hashOf, refsOf } from "../node.ts";
import { nodeTypes, payloads } from "../payload.ts";
import type { Damage } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";
import { type NodeRow, parseBody, selectNode } from "./rows.ts";

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
  if (!nodeTypes.includes(row.type)) return [`its type ${row.type} is unknown`];
  try {
    const payload = parseBody(row.body);
    const actual = hashOf(row.type, payload);
    if (actual !== row.hash) return [`its content has the hash ${actual}`];
    if (!payloads[row.type].safeParse(payload).success) return [`its payload is not a ${row.type}'s`];
    return refProblems(sql, row, refsOf(row.type, payload));
  } catch (error) {
    return [`its body cannot be read: ${messageOf(error)}`];
  }
};

const refProblems = (sql: Sql, row: NodeRow, refs: readonly Hash[]): string[] => {
  const edges = JSON.parse(row.refs) as Hash[];
  return refs
    .filter((ref) => !edges.includes(ref))
    .map((ref) => {
      const there = sql.one("SELECT 1 FROM node WHERE hash = ?", ref) !== undefined;
      return there ? `its edge to ${ref} is missing` : `it refers to ${ref}, which is missing`;
    });
};
