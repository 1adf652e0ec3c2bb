import type { ThreadId } from "../../base/ids.ts";
import { type Store, threadLease } from "../store.ts";
import type { Connection } from "./connection.ts";
import { unwaited } from "./run.ts";

/**
 * A thread's lease that is taken anew is not waited for to be on the disk, nor is any that is given up: what the thread's
 * run writes next is waited for, and with it everything before in the log. Were it lost with the server before, nothing
 * was written under it, and nothing can be: `advance` finds that the lease is gone. Other leases guard what no later
 * write compares, so they are on the disk when they are taken, as is every renewal.
 */
const statements = {
  lease: {
    name: "lease",
    text: `INSERT INTO uwf.lease AS held (key, holder, expires_at) VALUES ($1, $2, uwf.clock($4) + $3)
      ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE held.holder = excluded.holder OR held.expires_at <= uwf.clock($4)
      RETURNING key, CASE WHEN xmax = 0 AND key LIKE '${threadLease("%" as ThreadId)}' THEN ${unwaited} END`,
  },
  release: {
    name: "release",
    text: `DELETE FROM uwf.lease WHERE key = $1 AND holder = $2 RETURNING ${unwaited}`,
  },
  holder: {
    name: "lease holder",
    text: "SELECT holder FROM uwf.lease WHERE key = $1 AND expires_at > uwf.clock($2)",
  },
};

export const leaseStore = (
  connection: Connection,
  time: () => number | null,
): Pick<Store, "lease" | "release" | "leaseHolder"> => ({
  lease: async (key, holder, ttlMs) =>
    (await connection.query(statements.lease, [key, holder, Math.ceil(ttlMs), time()])).length > 0,
  release: async (key, holder) => {
    await connection.query(statements.release, [key, holder]);
  },
  leaseHolder: async (key) => {
    const [row] = await connection.query<{ holder: string }>(statements.holder, [key, time()]);
    return row?.holder;
  },
});
