import { afterAll, beforeAll, describe } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import { storeProcessesContract } from "../../contracts/store-processes.contract.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

describe.skipIf(!postgresIsHere())("on a PostgreSQL server", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());

  storeProcessesContract("postgresStore", async () => {
    const url = await server.database();
    return {
      place: url,
      open: (options) => postgresStore({ url, ...options }),
      dispose: async () => undefined,
    };
  });
});
