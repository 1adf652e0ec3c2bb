import { describe, expect, it } from "vitest";
import { redisAddress } from "../../../src/queue/bullmq/redis-address.ts";

describe("redisAddress", () => {
  it("reads host, port, user, password, database and TLS", () => {
    expect(redisAddress("rediss://bot:p%40ss%2Fword@cache.test:6380/3")).toEqual({
      place: "cache.test:6380",
      options: { host: "cache.test", port: 6380, db: 3, username: "bot", password: "p@ss/word", tls: {} },
    });
  });

  it("takes the usual port and database where none is named", () => {
    expect(redisAddress("redis://[::1]")).toEqual({
      place: "[::1]:6379",
      options: { host: "::1", port: 6379, db: 0 },
    });
  });

  it.each(["http://a", "redis://", "redis://:secret@host/queue", "redis://:%zzsecret@host", "secret"])(
    "refuses %s and does not repeat it",
    (url) => {
      const reading = () => redisAddress(url);

      expect(reading).toThrow(expect.objectContaining({ code: "redis-url", remedy: "fix-config" }));
      expect(reading).not.toThrow(/secret/);
    },
  );
});
