import { Socket } from "node:net";
import type { ClientConfig, Pool, PoolClient, PoolConfig } from "pg";

/** How long the connections of a pool that is given up may take to end. */
const GRACE_MS = 5_000;

export type Connections = {
  /** A connection that nobody else uses. */
  take(): Promise<Taken>;
  /** Ends all connections; those in use when they are given back. */
  close(): Promise<void>;
};

export type Taken = {
  client: PoolClient;
  giveBack(): void;
  /** Ends it instead. */
  discard(): void;
  /** The server did not answer on it: it is reset, so that nothing of it arrives late, and no idle one is used again. */
  abandon(): void;
};

/** A pool of connections that can be given up as a whole. */
export const openPool = async (config: PoolConfig): Promise<Connections> => {
  const { default: pg } = await import("pg");
  const sockets = new WeakMap<object, Socket>();
  const Client = class extends pg.Client {
    constructor(own?: ClientConfig) {
      const socket = new Socket();
      super({ ...own, stream: () => socket });
      sockets.set(this, socket);
      // Whoever uses the connection is told by its query; one that is idle is taken out of the pool.
      this.on("error", ignore);
    }
  };
  const open = (): Generation => {
    const clients = new Set<object>();
    const pool = new pg.Pool({ ...config, Client });
    pool.on("error", ignore);
    pool.on("connect", (client) => clients.add(client));
    pool.on("remove", (client) => clients.delete(client));
    const resetAll = () => {
      for (const client of clients) reset(sockets.get(client));
    };
    return { pool, resetAll };
  };
  let current = open();
  return {
    take: async () => {
      const generation = current;
      const client = await generation.pool.connect();
      return {
        client,
        giveBack: () => client.release(),
        discard: () => client.release(true),
        abandon: () => {
          reset(sockets.get(client));
          client.release(true);
          if (current !== generation || generation.pool.ending) return;
          current = open();
          void end(generation);
        },
      };
    },
    close: () => end(current),
  };
};

type Generation = { pool: Pool; resetAll(): void };

const ignore = (): void => undefined;

/** What was not sent yet is forgotten, which an end would still send. A socket of this machine loses nothing. */
const reset = (socket: Socket | undefined): void => {
  if (socket?.remoteAddress === undefined) socket?.destroy();
  else socket.resetAndDestroy();
};

const end = ({ pool, resetAll }: Generation): Promise<void> => {
  setTimeout(resetAll, GRACE_MS).unref();
  return pool.end();
};
