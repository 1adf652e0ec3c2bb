import { type BullmqQueue, bullmqQueue } from "../../../src/queue/bullmq-queue.ts";
import { type Rig, rigOver, unlimited } from "../../contracts/queue/rig.ts";
import { type HeardLog, heardLog } from "../../fixtures/heard-log.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { type RedisServer, redisServer } from "../../rigs/redis-server.ts";
import { type TcpProxy, tcpProxy } from "../../rigs/tcp-proxy.ts";

export type RedisRig = Rig & {
  redis: RedisServer;
  /** Between the rig's queues and Redis. */
  proxy: TcpProxy;
  log: HeardLog;
  /** A queue that the test closes. */
  openAt(url: string): BullmqQueue;
};

const LOCK_MS = 5_000;

/** Queues over one store and a Redis of their own, which can be made to fail in every way. */
export const redisRig = async (): Promise<RedisRig> => {
  const redis = await redisServer();
  const proxy = await tcpProxy(redis.url);
  const log = heardLog();
  const { store, dispose } = temporaryStore();
  const openAt = (url: string) => bullmqQueue({ store, limits: unlimited, log, url, lockMs: LOCK_MS });
  const rig = rigOver({ store, open: () => openAt(proxy.url(redis.url)), workerArguments: [], dispose });
  return {
    ...rig,
    redis,
    proxy,
    log,
    openAt,
    dispose: async () => {
      await rig.dispose();
      await proxy.close();
      await redis.dispose();
    },
  };
};
