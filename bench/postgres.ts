import { type PostgresServer, postgresServer } from "../test/rigs/postgres-server.ts";

/** A PostgreSQL of its own that keeps what it acknowledges even when the power fails, with all settings as they come. */
export const withPostgres = async <T>(work: (server: PostgresServer) => Promise<T>): Promise<T> => {
  const server = await postgresServer({ disk: "durable" });
  try {
    return await work(server);
  } finally {
    await server.dispose();
  }
};
