import { inputError } from "../../base/errors.ts";
import type { ThreadId } from "../../base/ids.ts";
import { hashesIn } from "../renewal.ts";
import type { LinkKind, Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { renewNode } from "./nodes.ts";

type LinkRow = { kind: LinkKind; value: string };

type LinkStore = Pick<Store, "setLink" | "link" | "links" | "linkedThreads">;

export const linkStore = (connection: Connection, now: () => number): LinkStore => ({
  setLink: (thread, kind, value) =>
    connection.write((sql) => {
      const insert = `INSERT INTO link (thread, kind, value) SELECT id, ?, ? FROM thread WHERE id = ?
        ON CONFLICT (thread, kind) DO UPDATE SET value = excluded.value`;
      if (sql.run(insert, kind, value, thread).changes === 0)
        throw inputError("thread-missing", `no thread ${thread}`);
      for (const hash of hashesIn(value)) renewNode(sql, hash, now());
    }),
  link: (thread, kind) =>
    connection.read((sql) => {
      const query = "SELECT kind, value FROM link WHERE thread = ? AND kind = ?";
      return sql.one<LinkRow>(query, thread, kind)?.value;
    }),
  links: (thread) =>
    connection.read((sql) => {
      const rows = sql.all<LinkRow>("SELECT kind, value FROM link WHERE thread = ?", thread);
      return Object.fromEntries(rows.map(({ kind, value }) => [kind, value]));
    }),
  linkedThreads: (kind, value) =>
    connection.read((sql) => {
      const query = `SELECT id FROM link INDEXED BY link_value JOIN thread ON thread.id = link.thread
        WHERE kind = ? AND value = ? ORDER BY created_at DESC, id DESC`;
      return sql.all<{ id: ThreadId }>(query, kind, value).map(({ id }) => id);
    }),
});
