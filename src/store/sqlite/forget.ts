import { FORGOTTEN_AMONG, type Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const oldest = `SELECT rowid FROM delivery ORDER BY rowid LIMIT ${FORGOTTEN_AMONG}`;

export const forgetStore = (connection: Connection, now: () => number): Pick<Store, "forget"> => ({
  forget: (olderThanMs) =>
    connection.write((sql) => {
      const time = now();
      const until = time - olderThanMs;
      sql.run(`DELETE FROM delivery WHERE rowid IN (${oldest}) AND finished_at <= ?`, until);
      sql.run("DELETE FROM lease WHERE expires_at <= ?", until);
      sql.run("DELETE FROM reservation WHERE changed_at <= ?", time - 3 * olderThanMs);
    }),
});
