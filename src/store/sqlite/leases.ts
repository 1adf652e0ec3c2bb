import type { Store } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";

/** Who holds a lease at `time`, if anybody. */
export const holderOf = (sql: Sql, key: string, time: number): string | undefined =>
  sql.one<{ holder: string }>("SELECT holder FROM lease WHERE key = ? AND expires_at > ?", key, time)?.holder;

export const leaseStore = (
  connection: Connection,
  now: () => number,
): Pick<Store, "lease" | "release" | "leaseHolder"> => ({
  lease: (key, holder, ttlMs) =>
    connection.write((sql) => {
      const time = now();
      const take = `INSERT INTO lease (key, holder, expires_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
        SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE lease.holder = excluded.holder OR lease.expires_at <= ?`;
      return sql.run(take, key, holder, Math.ceil(time + ttlMs), time).changes > 0;
    }),
  release: (key, holder) =>
    connection.write((sql) => {
      sql.run("DELETE FROM lease WHERE key = ? AND holder = ?", key, holder);
    }),
  leaseHolder: (key) => connection.read((sql) => holderOf(sql, key, now())),
});
