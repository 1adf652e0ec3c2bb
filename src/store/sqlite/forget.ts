import { FORGOTTEN_AMONG, type Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const oldest = `SELECT rowid FROM delivery ORDER BY rowid LIMIT ${FORGOTTEN_AMONG}`;

const unused = `id NOT IN (SELECT workflow_id FROM workflow_agent_states WHERE workflow_id IS NOT NULL)
  AND id NOT IN (SELECT source_workflow_id FROM sessions WHERE source_workflow_id IS NOT NULL)`;

export const forgetStore = (connection: Connection, now: () => number): Pick<Store, "forget"> => ({
  forget: (olderThanMs) =>
    connection.write((sql) => {
      const time = now();
      const until = time - olderThanMs;
      sql.run(`DELETE FROM delivery WHERE rowid IN (${oldest}) AND finished_at <= ?`, until);
      sql.run("DELETE FROM lease WHERE expires_at <= ?", until);
      sql.run("DELETE FROM reservation WHERE changed_at <= ?", time - 3 * olderThanMs);
      sql.run("DELETE FROM sessions WHERE updated_at <= ?", until);
      sql.run(`DELETE FROM workflows WHERE updated_at <= ? AND ${unused}`, until);
    }),
});
