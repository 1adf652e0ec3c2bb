import { inputError } from "../../base/errors.ts";
import type { LinkKind, Store } from "../store.ts";
import type { Connection } from "./connection.ts";

type LinkRow = { kind: LinkKind; value: string };

export const linkStore = (connection: Connection): Pick<Store, "setLink" | "link" | "links"> => ({
  setLink: (thread, kind, value) =>
    connection.write((sql) => {
      const insert = `INSERT INTO link (thread, kind, value) SELECT id, ?, ? FROM thread WHERE id = ?
        ON CONFLICT (thread, kind) DO UPDATE SET value = excluded.value`;
      if (sql.run(insert, kind, value, thread).changes === 0)
        throw inputError("thread-missing", `no thread ${thread}`);
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
});
