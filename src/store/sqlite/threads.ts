import type { SQLInputValue } from "node:sqlite";
import { inputError } from "../../base/errors.ts";
import type { Hash, ThreadId } from "../../base/ids.ts";
import { encodeNodes } from "../encode.ts";
import { prefixRange } from "../prefix.ts";
import type { Expectation, Store, ThreadChange, ThreadRecord } from "../store.ts";
import { REPORTED_AMONG, threadLease } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";
import { holderOf } from "./leases.ts";
import { insertNodes } from "./nodes.ts";
import { idOf } from "./rows.ts";

type ThreadRow = Omit<ThreadRecord, "begun" | "admitted"> & { begun: string; admitted: number };

const PAGE = 500;

type ThreadStore = Pick<
  Store,
  | "createThread"
  | "thread"
  | "findThreads"
  | "threads"
  | "unreported"
  | "allThreads"
  | "advance"
  | "removeThread"
>;

const select = `
  SELECT thread.id, workflow, title, subject, installation, repository, start.hash AS start, head.hash AS head,
    tip.hash AS tip, begun, status, reason, note, granted_at AS grantedAt, due_at AS dueAt, admitted,
    created_at AS createdAt, updated_at AS updatedAt
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
  threads: (filter) =>
    connection.read((sql) => {
      const { query, values } = listing(filter);
      return sql.all<ThreadRow>(query, ...values).map(recordOf);
    }),
  unreported: (limit) =>
    connection.read((sql) => {
      const newest = `SELECT id FROM thread INDEXED BY thread_created WHERE status NOT IN ('queued', 'running')
        ORDER BY created_at DESC, id DESC LIMIT ${REPORTED_AMONG}`;
      const query = `${select} WHERE thread.id IN (${newest}) AND NOT EXISTS (
          SELECT 1 FROM link WHERE link.thread = thread.id AND kind = 'reported' AND value = status || ' ' || updated_at
        ) ORDER BY created_at DESC, thread.id DESC LIMIT ?`;
      return sql.all<ThreadRow>(query, limit).map(recordOf);
    }),
  async *allThreads() {
    const page = `${select} WHERE thread.id > ? ORDER BY thread.id LIMIT ?`;
    for (let last = ""; ; ) {
      const rows = await connection.read((sql) => sql.all<ThreadRow>(page, last, PAGE));
      yield* rows.map(recordOf);
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.id ?? last;
    }
  },
  advance: async (id, expected, change, nodes = []) => {
    const encoded = encodeNodes(nodes);
    return await connection.write((sql) => {
      const time = now();
      const record = threadOf(sql, id);
      if (record === undefined || !isAsExpected(sql, record, expected, time)) return undefined;
      insertNodes(sql, encoded, time);
      updateThread(sql, id, change, time);
      return threadOf(sql, id);
    });
  },
  removeThread: (id) =>
    connection.write((sql) => {
      sql.run("DELETE FROM thread WHERE id = ?", id);
      sql.run("DELETE FROM lease WHERE key = ?", threadLease(id));
    }),
});

/** Of several conditions the planner, which keeps no statistics, must not take the status for the one that finds most. */
const listing = ({ order = "newest", limit, ...filter }: Parameters<Store["threads"]>[0]) => {
  const { status, subject, repository, installation } = filter;
  const isAlone = [subject, repository, installation].every((value) => value === undefined);
  const conditions: [string, string | undefined][] = [
    ["subject = ?", subject],
    ["repository = ?", repository],
    ["installation = ?", installation],
    [
      `${isAlone ? "" : "+"}status IN (SELECT value FROM json_each(?))`,
      status === undefined ? undefined : JSON.stringify(status),
    ],
  ];
  const given = conditions.filter((condition): condition is [string, string] => condition[1] !== undefined);
  const where = given.length === 0 ? "" : `WHERE ${given.map(([text]) => text).join(" AND ")}`;
  const direction = order === "newest" ? "DESC" : "ASC";
  return {
    query: `${select} ${where} ORDER BY created_at ${direction}, thread.id ${direction} LIMIT ?`,
    values: [...given.map(([, value]) => value), limit],
  };
};

const recordOf = (row: ThreadRow): ThreadRecord => ({
  ...row,
  begun: JSON.parse(row.begun) as string[],
  admitted: row.admitted === 1,
});

const threadOf = (sql: Sql, id: ThreadId): ThreadRecord | undefined => {
  const row = sql.one<ThreadRow>(`${select} WHERE thread.id = ?`, id);
  return row === undefined ? undefined : recordOf(row);
};

const insertThread = (sql: Sql, record: ThreadRecord): void => {
  const { changes } = sql.run(
    `INSERT INTO thread (id, workflow, title, subject, installation, repository, start, head, tip, begun, status, reason,
       note, granted_at, due_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    record.id,
    record.workflow,
    record.title,
    record.subject,
    record.installation,
    record.repository,
    idOf(sql, record.start),
    idOf(sql, record.head),
    record.tip === null ? null : idOf(sql, record.tip),
    JSON.stringify(record.begun),
    record.status,
    record.reason,
    record.note,
    record.grantedAt,
    record.dueAt,
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
  dueAt: "due_at",
};

const updateThread = (sql: Sql, id: ThreadId, asked: ThreadChange, time: number): void => {
  const change: ThreadChange = asked.status === undefined ? asked : { dueAt: 0, ...asked };
  const fields = (Object.keys(columns) as (keyof ThreadChange)[]).filter(
    (field) => change[field] !== undefined,
  );
  const released = change.status === undefined ? [] : ["admitted = 0"];
  const assignments = fields.map((field) => `${columns[field]} = ?`);
  const values = fields.map((field): SQLInputValue => {
    if (field === "begun") return JSON.stringify(change.begun);
    const value = change[field] as string | number | null;
    return (field === "head" || field === "tip") && value !== null ? idOf(sql, value as Hash) : value;
  });
  sql.run(
    `UPDATE thread SET ${[...assignments, ...released, "updated_at = ?"].join(", ")} WHERE id = ?`,
    ...values,
    time,
    id,
  );
};
