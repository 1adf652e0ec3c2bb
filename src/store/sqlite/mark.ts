import { setImmediate } from "node:timers/promises";
import type { ThreadId } from "../../base/ids.ts";
import { hashesIn } from "../renewal.ts";
import type { Connection } from "./connection.ts";
import { type IdSet, idSet } from "./id-set.ts";

/** Rows of one statement: some milliseconds, in which this process does nothing else. */
const PAGE = 8_192;
const LINKS = 1_000;

type Ids = { ids: string };

/** Ids come as one JSON text for each page, which takes a third of the time that rows do. */
const statements = {
  old: `SELECT json_group_array(id) AS ids, max(renewed_at) AS renewed FROM (
      SELECT id, renewed_at FROM node WHERE (renewed_at, id) > (?, ?) AND renewed_at < ? ORDER BY renewed_at, id LIMIT ${PAGE}
    )`,
  threads: `SELECT max(id) AS last, json_group_array(start) AS starts, json_group_array(head) AS heads,
      json_group_array(tip) FILTER (WHERE tip IS NOT NULL) AS tips
    FROM (SELECT id, start, head, tip FROM thread WHERE id > ? ORDER BY id LIMIT ${PAGE})`,
  workflows: "SELECT json_group_array(node) AS ids FROM workflow",
  links: `SELECT thread, kind, value FROM link WHERE (thread, kind) > (?, ?) ORDER BY thread, kind LIMIT ${LINKS}`,
  hashes: "SELECT json_group_array(id) AS ids FROM node WHERE hash IN (SELECT value FROM json_each(?))",
  /** All edges of some sources, the greatest first. */
  edges: `SELECT json_group_array(src) AS sources, json_group_array(dst) AS targets FROM (
      SELECT src, dst FROM edge WHERE src < ?1 AND src >= coalesce(
        (SELECT src FROM edge WHERE src < ?1 ORDER BY src DESC LIMIT 1 OFFSET ${PAGE}), 0
      ) ORDER BY src DESC
    )`,
};

type MarkOptions = {
  /** Nodes that were renewed at this time or later are not looked at (milliseconds since the epoch). */
  oldBefore: number;
  signal?: AbortSignal | undefined;
};

/**
 * The ids of the old nodes that nothing leads to: no thread, workflow or link, and no younger node. Every node has a greater
 * id than those that it refers to, so one pass over the edges, the greatest source first, finds them all. Others write between
 * its pages; what they refer to meanwhile may be among the ids.
 */
export const markGarbage = async (connection: Connection, options: MarkOptions): Promise<IdSet> => {
  const garbage = await oldNodes(connection, options);
  for await (const ids of roots(connection)) {
    options.signal?.throwIfAborted();
    for (const id of ids) garbage.delete(id);
  }
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    options.signal?.throwIfAborted();
    const row = await connection.read((sql) =>
      sql.one<{ sources: string; targets: string }>(statements.edges, below),
    );
    const sources = idsIn(row?.sources);
    for (const [place, target] of idsIn(row?.targets).entries())
      if (!garbage.has(sources[place] ?? 0)) garbage.delete(target);
    const last = sources.at(-1);
    if (last === undefined) return garbage;
    below = last;
    await setImmediate();
  }
};

const oldNodes = async (connection: Connection, { oldBefore, signal }: MarkOptions): Promise<IdSet> => {
  const newest = await connection.read((sql) =>
    sql.one<{ id: number | null }>("SELECT max(id) AS id FROM node"),
  );
  const old = idSet(newest?.id ?? 0);
  for (let after = { renewed: Number.MIN_SAFE_INTEGER, id: 0 }; ; ) {
    signal?.throwIfAborted();
    const row = await connection.read((sql) =>
      sql.one<Ids & { renewed: number | null }>(statements.old, after.renewed, after.id, oldBefore),
    );
    const ids = idsIn(row?.ids);
    for (const id of ids) old.add(id);
    if (ids.length < PAGE) return old;
    after = { renewed: row?.renewed ?? oldBefore, id: ids.at(-1) ?? 0 };
    await setImmediate();
  }
};

/** The ids of all nodes that are pointed to from outside, in pages. */
async function* roots(connection: Connection): AsyncGenerator<number[]> {
  yield idsIn((await connection.read((sql) => sql.one<Ids>(statements.workflows)))?.ids);
  for (let last = ""; ; ) {
    const after = last;
    const row = await connection.read((sql) =>
      sql.one<{ last: ThreadId | null; starts: string; heads: string; tips: string }>(
        statements.threads,
        after,
      ),
    );
    if (row === undefined || row.last === null) break;
    yield [...idsIn(row.starts), ...idsIn(row.heads), ...idsIn(row.tips)];
    last = row.last;
    await setImmediate();
  }
  yield* linkedNodes(connection);
}

async function* linkedNodes(connection: Connection): AsyncGenerator<number[]> {
  for (let last = { thread: "", kind: "" }; ; ) {
    const { thread, kind } = last;
    const rows = await connection.read((sql) =>
      sql.all<{ thread: string; kind: string; value: string }>(statements.links, thread, kind),
    );
    const hashes = rows.flatMap(({ value }) => hashesIn(value));
    if (hashes.length > 0)
      yield idsIn(
        (await connection.read((sql) => sql.one<Ids>(statements.hashes, JSON.stringify(hashes))))?.ids,
      );
    if (rows.length < LINKS) return;
    last = rows.at(-1) ?? last;
    await setImmediate();
  }
}

const idsIn = (json: string | undefined): number[] =>
  json === undefined ? [] : (JSON.parse(json) as number[]);
