import { FORGOTTEN_AMONG, type Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const forget = {
  name: "forget",
  text: `WITH over AS (DELETE FROM uwf.lease WHERE expires_at <= uwf.clock($2) - $1),
      used AS (DELETE FROM uwf.reservation WHERE changed_at <= uwf.clock($2) - 3 * $1)
    DELETE FROM uwf.delivery WHERE finished_at <= uwf.clock($2) - $1
      AND place IN (SELECT place FROM uwf.delivery ORDER BY place LIMIT ${FORGOTTEN_AMONG})`,
};

const forgetSessions = {
  name: "forget sessions",
  text: "DELETE FROM uwf.sessions WHERE updated_at <= to_timestamp((uwf.clock($2) - $1) / 1000.0)",
};

const forgetDesigns = {
  name: "forget designs",
  text: `DELETE FROM uwf.workflows AS design WHERE updated_at <= to_timestamp((uwf.clock($2) - $1) / 1000.0)
    AND NOT EXISTS (SELECT FROM uwf.workflow_agent_states WHERE workflow_id = design.id)
    AND NOT EXISTS (SELECT FROM uwf.sessions WHERE source_workflow_id = design.id)`,
};

export const forgetStore = (connection: Connection, time: () => number | null): Pick<Store, "forget"> => ({
  forget: async (olderThanMs) => {
    for (const statement of [forget, forgetSessions, forgetDesigns])
      await connection.query(statement, [olderThanMs, time()]);
  },
});
