import { DatabaseSync } from "node:sqlite";
import { temporaryStore } from "../fixtures/temporary-store.ts";
import { stateManagerContract } from "./state-manager.contract.ts";

stateManagerContract("sqliteStore", async (options) => {
  const { store, path, dispose } = temporaryStore(options);
  return {
    store,
    damage: async (sessionId, column, json) => {
      const database = new DatabaseSync(path);
      database.exec("PRAGMA ignore_check_constraints = 1");
      database
        .prepare(`UPDATE workflow_agent_states SET ${column} = ? WHERE session_id = ?`)
        .run(json, sessionId);
      database.close();
    },
    dispose,
  };
});
