import { inputError } from "../../base/errors.ts";
import type { ThreadId } from "../../base/ids.ts";
import type { LinkKind, Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { storable } from "./storable.ts";

const statements = {
  set: {
    name: "set link",
    text: "SELECT uwf.set_link($1, $2, $3, $4)",
  },
  linked: {
    name: "linked threads",
    text: `SELECT thread.id FROM uwf.link JOIN uwf.thread ON thread.id = link.thread
      WHERE link.kind = $1 AND left(link.value, 200) = left($2, 200) AND link.value = $2
      ORDER BY thread.created_at DESC, thread.id DESC`,
  },
  links: { name: "links", text: "SELECT kind, value FROM uwf.link WHERE thread = $1" },
};

type LinkRow = { kind: LinkKind; value: string };

type LinkStore = Pick<Store, "setLink" | "link" | "links" | "linkedThreads">;

export const linkStore = (connection: Connection, time: () => number | null): LinkStore => {
  const linksOf: Store["links"] = async (thread) => {
    const rows = await connection.query<LinkRow>(statements.links, [thread]);
    return Object.fromEntries(rows.map(({ kind, value }) => [kind, value]));
  };
  return {
    setLink: async (thread, kind, value) => {
      const rows = await connection.query(statements.set, [thread, kind, storable(value), time()]);
      if (rows.length === 0) throw inputError("thread-missing", `no thread ${thread}`);
    },
    link: async (thread, kind) => (await linksOf(thread))[kind],
    links: linksOf,
    linkedThreads: async (kind, value) => {
      const rows = await connection.query<{ id: ThreadId }>(statements.linked, [kind, storable(value)]);
      return rows.map(({ id }) => id);
    },
  };
};
