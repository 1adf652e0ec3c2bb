import { describe, expect, it } from "vitest";
import { unshared } from "../../../src/cli/unshared.ts";

const config = {
  databaseUrl: null,
  redisUrl: "redis://127.0.0.1:6379",
  storageRoot: "/var/lib/uwf",
  limits: { concurrency: 2 },
};
const noThreads = { concurrency: 0 };

describe("a process that shares no database", () => {
  it("is told when it is a worker, and that it takes jobs away", () => {
    expect(unshared(config, "worker")).toMatch(/^DATABASE_URL is not set: .*\/var\/lib\/uwf.*Redis$/);
    expect(unshared({ ...config, redisUrl: null }, "worker")).not.toContain("Redis");
  });

  it("is told when it is a bot that leaves all work to workers", () => {
    expect(unshared({ ...config, limits: noThreads }, "bot")).toContain("no worker elsewhere");
  });

  it("is left alone when it does all work, or shares one", () => {
    const shared = { ...config, databaseUrl: "postgres://127.0.0.1/uwf", limits: noThreads };

    expect([unshared(config, "bot"), unshared(shared, "bot"), unshared(shared, "worker")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
