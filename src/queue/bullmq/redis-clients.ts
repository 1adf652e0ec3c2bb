import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { Redis, type RedisOptions } from "ioredis";
import { AppError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { outageOf, reasonOf } from "../outage.ts";
import { redisAddress } from "./redis-address.ts";
import { warnOfEviction } from "./warn-of-eviction.ts";

/** Where commands are answered at all, they are within this. */
const COMMAND_MS = 5_000;
/** How long a command waits for a connection that is being made. */
const CONNECT_GRACE_MS = 1_000;
const CHECK_MS = 2_000;

const common: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  retryStrategy: (times) => Math.min(100 * 2 ** times, 2_000),
};

/** Fails rather than waits: what it would have written is written by the next pass. */
const producerOptions: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MS,
  socketTimeout: COMMAND_MS,
};

/** Waits for as long as it takes. A blocking command lasts up to 11 s: a socket that is silent for longer is dead. */
const workerOptions: RedisOptions = { maxRetriesPerRequest: null, socketTimeout: 13_000 };

/** The connections of one worker of BullMQ, which makes a duplicate of the first to block on. */
export type WorkerClients = {
  first: Redis;
  /** Whether what the worker says now is heard. */
  areReady(): boolean;
  /** Ends them, whatever state they are in; what still waits for an answer fails. */
  disconnect(): void;
};

export type RedisClients = {
  producer: Redis;
  /** What Redis did not do: said once, until all goes well again. */
  failed(error: unknown): void;
  succeeded(): void;
  /** Waits a moment for a connection that is being made; false when there is none. */
  isReachable(): Promise<boolean>;
  /** Throws `queue-unreachable` (retry). */
  check(): Promise<void>;
  forWorker(): WorkerClients;
  /** Ends every connection, whatever state it is in. */
  disconnect(): void;
};

/** The connections to one Redis; every one of them comes back by itself. */
export const redisClients = (url: string, log: Log): RedisClients => {
  const { options, place } = redisAddress(url);
  const clients = new Set<Redis>();
  const outage = outageOf(log, {
    fields: { redis: place },
    failed: "Redis does not do what the queue asks; jobs wait in the store",
    over: "Redis answers again",
  });
  const open = (own: RedisOptions): Redis => {
    const client = new Redis({ ...common, ...options, ...own, replyMapping: "legacy" });
    clients.add(client);
    client.on("error", (error) => {
      if (clients.has(client)) outage.failed(error);
    });
    client.on("ready", succeeded);
    return client;
  };
  const succeeded = () => {
    if ([...clients].every(isReady)) outage.over();
  };
  /** One that waits to connect again would keep for ever what waits for it: only a try that ends settles that. */
  const end = (client: Redis): void => {
    clients.delete(client);
    if (client.status === "reconnecting") client.connect().catch(() => undefined);
    client.disconnect();
  };
  const producer = open(producerOptions);
  let downSince: number | null = performance.now();
  producer.on("close", () => {
    downSince ??= performance.now();
  });
  producer.on("ready", () => {
    downSince = null;
  });
  producer.once("ready", () => void warnOfEviction(producer, log));
  return {
    producer,
    failed: outage.failed,
    succeeded,
    isReachable: async () => {
      if (isReady(producer)) return true;
      const left = (downSince ?? performance.now()) + CONNECT_GRACE_MS - performance.now();
      return left > 0 && isReadyWithin(producer, left);
    },
    check: () => check(producer, place),
    forWorker: () => {
      const first = open(workerOptions);
      const own = [first];
      Object.assign(first, {
        duplicate: (override: RedisOptions = {}): Redis => {
          const duplicate = open({ ...workerOptions, ...override });
          own.push(duplicate);
          return duplicate;
        },
      });
      return {
        first,
        areReady: () => own.every(isReady),
        disconnect: () => {
          for (const client of own) end(client);
        },
      };
    },
    disconnect: () => {
      for (const client of clients) end(client);
    },
  };
};

const isReady = ({ status }: Redis): boolean => status === "ready";

const isReadyWithin = async (client: Redis, ms: number): Promise<boolean> => {
  try {
    await once(client, "ready", { signal: AbortSignal.timeout(Math.ceil(ms)) });
    return true;
  } catch {
    // The client's own listener has said why.
    return false;
  }
};

const check = async (client: Redis, place: string): Promise<void> => {
  const signal = AbortSignal.timeout(CHECK_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error(`no answer within ${CHECK_MS / 1_000} s`)));
  });
  const answer = async () => {
    if (!isReady(client)) await once(client, "ready", { signal });
    await client.ping();
  };
  try {
    await Promise.race([answer(), late]);
  } catch (error) {
    // No cause: a refused password stands in the error that Redis's client makes of it.
    throw new AppError(`Redis at ${place} cannot be reached: ${reasonOf(error)}`, {
      code: "queue-unreachable",
      remedy: "retry",
      hint: "Check that it runs and that REDIS_URL names it; jobs wait in the store meanwhile.",
    });
  }
};
