import { type RedisServer, redisServer } from "../test/rigs/redis-server.ts";

/** A Redis of its own with nothing on disk: what it loses, the store has. */
export const withRedis = async <T>(work: (server: RedisServer) => Promise<T>): Promise<T> => {
  const server = await redisServer();
  try {
    return await work(server);
  } finally {
    await server.dispose();
  }
};
