import { FORGOTTEN_AMONG, type Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const forget = {
  name: "forget",
  text: `WITH over AS (DELETE FROM uwf.lease WHERE expires_at <= uwf.clock($2) - $1),
      used AS (DELETE FROM uwf.reservation WHERE changed_at <= uwf.clock($2) - 3 * $1)
    DELETE FROM uwf.delivery WHERE finished_at <= uwf.clock($2) - $1
      AND place IN (SELECT place FROM uwf.delivery ORDER BY place LIMIT ${FORGOTTEN_AMONG})`,
};

export const forgetStore = (connection: Connection, time: () => number | null): Pick<Store, "forget"> => ({
  forget: async (olderThanMs) => {
    await connection.query(forget, [olderThanMs, time()]);
  },
});
