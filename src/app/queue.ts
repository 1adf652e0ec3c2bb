import type { Queue as BullQueue } from "bullmq";
import { type Log, silentLog } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Queue } from "../queue/queue.ts";
import type { Store } from "../store/store.ts";

/** Asks Redis for an answer. Throws `redis-url` (fix-config) and `queue-unreachable` (retry). */
export const checkRedis = async (url: string): Promise<void> => {
  const { redisClients } = await import("../queue/bullmq/redis-clients.ts");
  const clients = redisClients(url, silentLog);
  try {
    await clients.check();
  } finally {
    clients.disconnect();
  }
};

/** The queue that the configuration names, and what a dashboard may show of it. Throws `redis-url` (fix-config). */
export const openQueue = async (
  { redisUrl, limits }: Pick<Config, "redisUrl" | "limits">,
  { store, log }: { store: Store; log: Log },
): Promise<{ queue: Queue; boards: readonly BullQueue[] }> => {
  if (redisUrl === null) {
    const { localQueue } = await import("../queue/local-queue.ts");
    return { queue: localQueue({ store, limits, log }), boards: [] };
  }
  const { bullmqQueue } = await import("../queue/bullmq-queue.ts");
  const queue = bullmqQueue({ store, limits, log, url: redisUrl });
  return { queue, boards: queue.boards };
};
