import { type Check, failed, ok } from "./check.ts";

/** Redis answers. */
export const checkQueue = async (redisUrl: string): Promise<Check> => {
  const { checkRedis } = await import("../../app.ts");
  try {
    await checkRedis(redisUrl);
    return ok("queue", "Redis answers");
  } catch (error) {
    return failed("queue", error);
  }
};
