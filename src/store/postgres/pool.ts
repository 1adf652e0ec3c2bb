import { Socket } from "node:net";
import type { ClientBase, ClientConfig, Pool, PoolClient, PoolConfig } from "pg";

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
  /** How many bytes have come on it. */
  received(): number;
  giveBack(): void;
  /** Ends it instead. */
  discard(): void;
  /** The server did not answer on it: it is reset, so that nothing of it arrives late, and no idle one is used again. */
  abandon(): void;
};

/** Loading it takes longer than a command that needs no database. */
const loadDriver = async () => (await import("pg")).default;

type Driver = Awaited<ReturnType<typeof loadDriver>>;

/** A pool of connections that can be given up as a whole. */
export const openPool = async (config: PoolConfig): Promise<Connections> => {
  const open = generations(await loadDriver(), config);
  let current = open();
  return {
    take: async () => {
      const generation = current;
      const client = await generation.pool.connect();
      return {
        client,
        received: () => generation.received(client),
        giveBack: () => client.release(),
        discard: () => client.release(true),
        abandon: () => {
          generation.reset(client);
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

type Generation = {
  pool: Pool;
  received(client: ClientBase): number;
  reset(client: ClientBase): void;
  resetAll(): void;
};

const generations = (pg: Driver, config: PoolConfig): (() => Generation) => {
  const sockets = new WeakMap<ClientBase, Socket>();
  const Client = class extends pg.Client {
    constructor(own?: ClientConfig) {
      const socket = new Socket();
      super({ ...own, stream: () => socket });
      sockets.set(this, socket);
      // Whoever uses the connection is told by its query; one that is idle is taken out of the pool.
      this.on("error", ignore);
    }
  };
  const settings: PoolConfig = { ...common, types: typesOf(pg), ...config, Client };
  const received = (client: ClientBase) => sockets.get(client)?.bytesRead ?? 0;
  const reset = (client: ClientBase) => resetSocket(sockets.get(client));
  return () => {
    const clients = new Set<ClientBase>();
    const pool = new pg.Pool(settings);
    pool.on("error", ignore);
    pool.on("connect", (client) => clients.add(client));
    pool.on("remove", (client) => clients.delete(client));
    return {
      pool,
      received,
      reset,
      resetAll: () => {
        for (const client of clients) reset(client);
      },
    };
  };
};

const common: PoolConfig = {
  idleTimeoutMillis: 60_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  allowExitOnIdle: true,
  fallback_application_name: "uwf",
};

/** Ids and times are far below 2^53. */
const typesOf = (pg: Driver): NonNullable<PoolConfig["types"]> => ({
  getTypeParser: (oid, format) =>
    Number(oid) === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
});

const ignore = (): void => undefined;

/** What was not sent yet is forgotten, which an end would still send. A socket of this machine loses nothing. */
const resetSocket = (socket: Socket | undefined): void => {
  if (socket?.remoteAddress === undefined) socket?.destroy();
  else socket.resetAndDestroy();
};

const end = ({ pool, resetAll }: Generation): Promise<void> => {
  setTimeout(resetAll, GRACE_MS).unref();
  return pool.end();
};
