import { messageOf } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import { hashOf, refsOf } from "../node.ts";
import { type NodeType, nodeTypes } from "../payload.ts";
import type { Damage } from "../store.ts";
import { type Body, decodeBody } from "./body.ts";
import type { Connection, Sql } from "./connection.ts";

const batch = 200;

type Row = { id: number; hash: Hash; type: NodeType; body: Body };

/** Recomputes every hash and looks for every ref, a batch of nodes at a time. */
export async function* verifyAll(connection: Connection): AsyncGenerator<Damage> {
  let last = 0;
  for (;;) {
    const { damages, next } = await connection.read((sql) => verifyAfter(sql, last));
    yield* damages;
    if (next === undefined) return;
    last = next;
  }
}

const verifyAfter = (sql: Sql, last: number): { damages: Damage[]; next: number | undefined } => {
  const rows = sql.all<Row>(
    "SELECT id, hash, type, body FROM node WHERE id > ? ORDER BY id LIMIT ?",
    last,
    batch,
  );
  const damages = rows.flatMap((row) => problemsOf(sql, row).map((problem) => ({ hash: row.hash, problem })));
  return { damages, next: rows.at(-1)?.id };
};

const problemsOf = (sql: Sql, row: Row): string[] => {
  if (!nodeTypes.includes(row.type)) return [`unknown node type ${row.type}`];
  let payload: unknown;
  try {
    payload = JSON.parse(decodeBody(row.body));
  } catch (error) {
    return [`its body cannot be read: ${messageOf(error)}`];
  }
  const actual = hashOf(row.type, payload);
  if (actual !== row.hash) return [`its content has the hash ${actual}`];
  return refProblems(sql, row, refsOf(row.type, payload));
};

const refProblems = (sql: Sql, row: Row, refs: readonly Hash[]): string[] => {
  const edges = sql.all<{ hash: Hash | null }>(
    "SELECT node.hash FROM edge LEFT JOIN node ON node.id = edge.dst WHERE edge.src = ?",
    row.id,
  );
  const there = new Set(edges.map((edge) => edge.hash));
  const present = (hash: Hash) => sql.one("SELECT 1 FROM node WHERE hash = ?", hash) !== undefined;
  return refs
    .filter((ref) => !there.has(ref) || !present(ref))
    .map((ref) => (present(ref) ? `its edge to ${ref} is missing` : `it refers to ${ref}, which is missing`));
};
