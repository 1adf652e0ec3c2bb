import { randomUUID } from "node:crypto";
import { inputError } from "../../base/errors.ts";
import type { ThreadId } from "../../base/ids.ts";
import { prefixRange } from "../prefix.ts";
import type { Expectation, Store, ThreadChange, ThreadRecord } from "../store.ts";
import { REPORTED_AMONG, threadLease } from "../store.ts";
import type { Connection } from "./connection.ts";
import { codeOf } from "./failure.ts";
import { nodeValues } from "./node-values.ts";
import { throwMissing } from "./nodes.ts";
import { unwaited } from "./run.ts";
import { storable } from "./storable.ts";

type ThreadRow = Omit<ThreadRecord, "begun"> & { begun: string };

const PAGE = 500;

const columns = `id, workflow, title, subject, installation, repository, start, head, tip, begun, status, reason, note,
  granted_at AS "grantedAt", due_at AS "dueAt", admitted, created_at AS "createdAt", updated_at AS "updatedAt"`;

const advanced = "uwf.advance($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";

const statements = {
  create: {
    name: "create thread",
    text: "SELECT uwf.create_thread($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
  },
  advance: { name: "advance", text: `SELECT ${columns} FROM ${advanced}` },
  /**
   * Nothing rests on a claim alone, so it is not waited for to be on the disk: it is with the run's next write. Were it
   * lost with the server before, the thread is queued as it was, and comes again; the run that had claimed it stops at
   * its next write.
   */
  claim: { name: "claim", text: `SELECT ${columns} FROM ${advanced}, ${unwaited}` },
  thread: { name: "thread", text: `SELECT ${columns} FROM uwf.thread WHERE id = $1` },
  find: {
    name: "find threads",
    text: "SELECT id FROM uwf.thread WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3",
  },
  unreported: {
    name: "unreported threads",
    text: `SELECT ${columns} FROM (
        SELECT * FROM uwf.thread WHERE status NOT IN ('queued', 'running')
        ORDER BY created_at DESC, id DESC LIMIT ${REPORTED_AMONG}
      ) AS still WHERE NOT EXISTS (
        SELECT FROM uwf.link WHERE link.thread = still.id AND link.kind = 'reported'
          AND link.value = still.status || ' ' || still.updated_at
      ) ORDER BY created_at DESC, id DESC LIMIT $1`,
  },
  page: {
    name: "page of threads",
    text: `SELECT ${columns} FROM uwf.thread WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
  },
  remove: {
    name: "remove thread",
    text: `WITH removed AS (DELETE FROM uwf.thread WHERE id = $1) DELETE FROM uwf.lease WHERE key = $2`,
  },
};

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

export const threadStore = (connection: Connection, time: () => number | null): ThreadStore => ({
  createThread: async (record, nodes) => {
    const values = nodeValues(nodes, [record.start, record.head, record.tip]);
    const write = randomUUID();
    await connection
      .query(statements.create, (again) => [jsonOf(record), write, again, ...values, time()])
      .catch((error: unknown) => {
        if (codeOf(error) !== "UW002") return throwMissing(error);
        throw inputError("thread-exists", `there is a thread ${record.id} already`);
      });
  },
  thread: async (id) => recordIn(await connection.query<ThreadRow>(statements.thread, [id])),
  findThreads: async (prefix, limit) => {
    const { from, to } = prefixRange(prefix);
    const rows = await connection.query<{ id: ThreadId }>(statements.find, [from, to, limit]);
    return rows.map((row) => row.id);
  },
  threads: async (filter) => (await connection.query<ThreadRow>(...listing(filter))).map(recordOf),
  unreported: async (limit) =>
    (await connection.query<ThreadRow>(statements.unreported, [limit])).map(recordOf),
  allThreads: () =>
    connection.snapshot(async function* (run) {
      for (let last = ""; ; ) {
        const rows = await run<ThreadRow>(statements.page, [last]);
        yield* rows.map(recordOf);
        if (rows.length < PAGE) return;
        last = rows.at(-1)?.id ?? last;
      }
    }),
  advance: async (id, expected, change, nodes = []) => {
    const values = nodeValues(nodes, [change.head, change.tip]);
    const write = randomUUID();
    const isClaim = change.status === "running" && nodes.length === 0;
    const rows = await connection
      .query<ThreadRow>(isClaim ? statements.claim : statements.advance, (again) => [
        ...[id, jsonOf(expected), jsonOf(change), write, again],
        ...values,
        time(),
      ])
      .catch(throwMissing);
    return recordIn(rows);
  },
  removeThread: async (id) => {
    await connection.query(statements.remove, [id, threadLease(id)]);
  },
});

const recordOf = (row: ThreadRow): ThreadRecord => ({ ...row, begun: JSON.parse(row.begun) as string[] });

const recordIn = ([row]: ThreadRow[]): ThreadRecord | undefined =>
  row === undefined ? undefined : recordOf(row);

/** For the schema's functions; what is not given is not in it. */
const jsonOf = (fields: Partial<ThreadRecord> | Expectation | ThreadChange): string =>
  JSON.stringify(fields, (key, value: unknown) => {
    if (key === "begun") return JSON.stringify(value);
    return typeof value === "string" ? storable(value) : value;
  });

/** One statement for each kind of filter, so that each has the plan that fits it. */
const listing = ({
  order = "newest",
  limit,
  ...filter
}: Parameters<Store["threads"]>[0]): Parameters<Connection["query"]> => {
  const given = (["status", "subject", "repository", "installation"] as const).flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [{ column, value }];
  });
  const conditions = given.map(({ column }, place) =>
    column === "status" ? `status = ANY ($${place + 2})` : `${column} = $${place + 2}`,
  );
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const direction = order === "newest" ? "DESC" : "ASC";
  return [
    {
      name: ["threads", order, ...given.map(({ column }) => column)].join(" "),
      text: `SELECT ${columns} FROM uwf.thread ${where} ORDER BY created_at ${direction}, id ${direction} LIMIT $1`,
    },
    [limit, ...given.map(({ value }) => value)],
  ];
};
