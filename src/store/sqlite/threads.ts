import type { SQLInputValue } from "node:sqlite";
import { inputError } from "../../base/errors.ts";
import type { Hash, ThreadId } from "../../base/ids.ts";
import { prefixRange } from "../prefix.ts";
import type { Expectation, Store, ThreadChange, ThreadRecord } from "../store.ts";
import { threadLease } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";
import { encodeNodes } from "./encode.ts";
import { holderOf } from "./leases.ts";
import { insertNodes } from "./nodes.ts";
import { idOf } from "./rows.ts";

type ThreadRow = Omit<ThreadRecord, "begun"> & { begun: string };

type ThreadStore = Pick<
  Store,
  "createThread" | "thread" | "findThreads" | "threads" | "advance" | "removeThread" | "setLink" | "link"
>;

const select = `
  SELECT thread.id, workflow, title, subject, start.hash AS start, head.hash AS head, tip.hash AS tip, begun, status, reason,
    note, granted_at AS grantedAt, created_at AS createdAt, updated_at AS updatedAt
  FROM thread JOIN node AS start ON start.id = thread.start JOIN node AS head ON head.id = thread.head
    LEFT JOIN node AS tip ON tip.id = thread.tip`;

export const threadStore = (connection: Connection, now: () => number): ThreadStore => ({
  createThread: async (record, nodes) => {
    const encoded = encodeNodes(nodes);
    await connection.write((sql) => {
      insertNodes(sql, encoded, now());
      insertThread(sql, record);
    });
  },
  thread: (id) => connection.read((sql) => threadOf(sql, id)),
  findThreads: async (prefix, limit) => {
    const { from, to } = prefixRange(prefix);
    const query = "SELECT id FROM thread WHERE id >= ? AND id < ? ORDER BY id LIMIT ?";
    const rows = await connection.read((sql) => sql.all<{ id: ThreadId }>(query, from, to, limit));
    return rows.map((row) => row.id);
  },
  threads: ({ status, subject, order = "newest", limit }) =>
    connection.read((sql) => {
      const conditions = [
        ...(status === undefined ? [] : ["status IN (SELECT value FROM json_each(?))"]),
        ...(subject === undefined ? [] : ["subject = ?"]),
      ];
      const values = [
        ...(status === undefined ? [] : [JSON.stringify(status)]),
        ...(subject === undefined ? [] : [subject]),
      ];
      const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      const direction = order === "newest" ? "DESC" : "ASC";
      const query = `${select} ${where} ORDER BY created_at ${direction}, thread.id ${direction} LIMIT ?`;
      return sql.all<ThreadRow>(query, ...values, limit).map(recordOf);
    }),
  advance: async (id, expected, change, nodes = []) => {
    const encoded = encodeNodes(nodes);
    return await connection.write((sql) => {
      const time = now();
      const record = threadOf(sql, id);
      if (record === undefined || !isAsExpected(sql, record, expected, time)) return undefined;
      insertNodes(sql, encoded, time);
      updateThread(sql, id, change, time);
      return { ...record, ...change, updatedAt: time };
    });
  },
  removeThread: (id) =>
    connection.write((sql) => {
      sql.run("DELETE FROM thread WHERE id = ?", id);
      sql.run("DELETE FROM lease WHERE key = ?", threadLease(id));
    }),
  setLink: (thread, kind, value) =>
    connection.write((sql) => {
      const insert = `INSERT INTO link (thread, kind, value) SELECT id, ?, ? FROM thread WHERE id = ?
        ON CONFLICT (thread, kind) DO UPDATE SET value = excluded.value`;
      if (sql.run(insert, kind, value, thread).changes === 0)
        throw inputError("thread-missing", `no thread ${thread}`);
    }),
  link: (thread, kind) =>
    connection.read(
      (sql) =>
        sql.one<{ value: string }>("SELECT value FROM link WHERE thread = ? AND kind = ?", thread, kind)
          ?.value,
    ),
});

const recordOf = (row: ThreadRow): ThreadRecord => ({ ...row, begun: JSON.parse(row.begun) as string[] });

const threadOf = (sql: Sql, id: ThreadId): ThreadRecord | undefined => {
  const row = sql.one<ThreadRow>(`${select} WHERE thread.id = ?`, id);
  return row === undefined ? undefined : recordOf(row);
};

const insertThread = (sql: Sql, record: ThreadRecord): void => {
  const { changes } = sql.run(
    `INSERT INTO thread (id, workflow, title, subject, start, head, tip, begun, status, reason, note, granted_at, created_at,
       updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    record.id,
    record.workflow,
    record.title,
    record.subject,
    idOf(sql, record.start),
    idOf(sql, record.head),
    record.tip === null ? null : idOf(sql, record.tip),
    JSON.stringify(record.begun),
    record.status,
    record.reason,
    record.note,
    record.grantedAt,
    record.createdAt,
    record.updatedAt,
  );
  if (changes === 0) throw inputError("thread-exists", `there is a thread ${record.id} already`);
};

const isAsExpected = (sql: Sql, record: ThreadRecord, expected: Expectation, time: number): boolean =>
  (expected.head === undefined || expected.head === record.head) &&
  (expected.tip === undefined || expected.tip === record.tip) &&
  (expected.status === undefined || expected.status === record.status) &&
  (expected.holder === undefined || expected.holder === holderOf(sql, threadLease(record.id), time));

const columns: { [K in keyof ThreadChange]-?: string } = {
  head: "head",
  tip: "tip",
  begun: "begun",
  status: "status",
  reason: "reason",
  note: "note",
  grantedAt: "granted_at",
};

const updateThread = (sql: Sql, id: ThreadId, change: ThreadChange, time: number): void => {
  const fields = (Object.keys(columns) as (keyof ThreadChange)[]).filter(
    (field) => change[field] !== undefined,
  );
  const assignments = fields.map((field) => `${columns[field]} = ?`);
  const values = fields.map((field): SQLInputValue => {
    if (field === "begun") return JSON.stringify(change.begun);
    const value = change[field] as string | number | null;
    return (field === "head" || field === "tip") && value !== null ? idOf(sql, value as Hash) : value;
  });
  sql.run(
    `UPDATE thread SET ${[...assignments, "updated_at = ?"].join(", ")} WHERE id = ?`,
    ...values,
    time,
    id,
  );
};
