import type { Config } from "../config/config.ts";

/**
 * What to tell whoever starts one of several processes that share no database; null when they may share one. uwf.db is
 * of one storage root, and a process that takes jobs about another store from Redis finds nothing and drops them.
 */
export const unshared = (
  {
    databaseUrl,
    redisUrl,
    storageRoot,
    limits,
  }: Pick<Config, "databaseUrl" | "redisUrl" | "storageRoot"> & {
    limits: Pick<Config["limits"], "concurrency">;
  },
  kind: "bot" | "worker",
): string | null => {
  if (databaseUrl !== null) return null;
  if (kind === "bot")
    return limits.concurrency > 0
      ? null
      : `DATABASE_URL is not set: what this bot stores in ${storageRoot} no worker elsewhere sees`;
  const jobs = redisUrl === null ? "" : ", and takes jobs of other stores away from Redis";
  return `DATABASE_URL is not set: this worker sees the threads of ${storageRoot} alone${jobs}`;
};
