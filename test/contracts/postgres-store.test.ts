import { afterAll, beforeAll, describe } from "vitest";
import { postgresStore } from "../../src/store/postgres-store.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../rigs/postgres-server.ts";
import { storeContract } from "./store.contract.ts";

describe.skipIf(!postgresIsHere())("on a PostgreSQL server", () => {
  let server: PostgresServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());

  storeContract("postgresStore", async ({ now }) => {
    const schema = `contract_${++schemas}`;
    const another = () => postgresStore({ url: server.url, schema, now });
    const store = await another();
    return { store, another, dispose: () => store.close() };
  });
});
