import { afterAll, beforeAll, describe } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { bullmqQueue } from "../../src/queue/bullmq-queue.ts";
import { temporaryStore } from "../fixtures/temporary-store.ts";
import { type RedisServer, redisIsHere, redisServer } from "../rigs/redis-server.ts";
import { queueContract } from "./queue.contract.ts";

const LOCK_MS = 5_000;

describe.skipIf(!redisIsHere())("with Redis", () => {
  let redis: RedisServer;
  let made = 0;
  beforeAll(async () => {
    redis = await redisServer();
  });
  afterAll(() => redis.dispose());

  queueContract("bullmqQueue", async () => {
    const { store, path, dispose } = temporaryStore();
    const { url } = redis;
    const prefix = `test-${++made}`;
    return {
      store,
      open: (limits) => bullmqQueue({ store, limits, log: silentLog, url, prefix, lockMs: LOCK_MS }),
      workerArguments: [path, "bullmq", url, prefix, String(LOCK_MS)],
      dispose,
    };
  });
});
