import type { Redis } from "ioredis";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

/** A Redis that drops keys when its memory is full drops jobs: they come back, but late and again and again. */
export const warnOfEviction = async (client: Redis, log: Log): Promise<void> => {
  try {
    const policy = /^maxmemory_policy:(\S+)/m.exec(await client.info("memory"))?.[1];
    if (policy !== undefined && policy !== "noeviction")
      log.warn({ policy }, "set Redis's maxmemory-policy to noeviction: others let it drop jobs");
  } catch (error) {
    log.debug({ error: messageOf(error) }, "Redis does not say its maxmemory-policy");
  }
};
