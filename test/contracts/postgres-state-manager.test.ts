import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { postgresStore } from "../../src/store/postgres-store.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../rigs/postgres-server.ts";
import { stateManagerContract } from "./state-manager.contract.ts";

describe.skipIf(!postgresIsHere())("on a PostgreSQL server", () => {
  let server: PostgresServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());

  stateManagerContract("postgresStore", async (options) => {
    const schema = `states_${++schemas}`;
    const store = await postgresStore({ url: server.url, schema, ...options });
    return {
      store,
      damage: async (sessionId, column, json) => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        const update = `UPDATE ${schema}.workflow_agent_states SET ${column} = $1::jsonb WHERE session_id = $2`;
        await client.query(update, [json, sessionId]);
        await client.end();
      },
      dispose: () => store.close(),
    };
  });
});
