import type { Config } from "../../config/config.ts";
import { type Check, failed, ok } from "./check.ts";

/** Redis answers. Whoever sets up one mostly means several processes, and these need one database. */
export const checkQueue = async (
  redisUrl: string,
  { databaseUrl }: Pick<Config, "databaseUrl">,
): Promise<Check> => {
  const { checkRedis } = await import("../../app/queue.ts");
  try {
    await checkRedis(redisUrl);
    if (databaseUrl !== null) return ok("queue", "Redis answers");
    return {
      name: "queue",
      state: "optional",
      detail: "Redis answers, but DATABASE_URL is not set: a worker would not see the bot's threads",
      hint: "Set DATABASE_URL for the bot and every worker, or unset REDIS_URL where one process does all.",
    };
  } catch (error) {
    return failed("queue", error);
  }
};
