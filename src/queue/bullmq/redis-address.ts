import type { RedisOptions } from "ioredis";
import { configError } from "../../base/errors.ts";

export type RedisAddress = {
  /** Where it is, for people: `host:port`. */
  place: string;
  options: RedisOptions;
};

/** Reads `redis://user:password@host:port/database`; `rediss` is TLS. Throws `redis-url` (fix-config), without the password. */
export const redisAddress = (url: string): RedisAddress => {
  const parsed = URL.parse(url);
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "")
    throw unreadable("It must be redis://host:port, or rediss:// for TLS.");
  const db = parsed.pathname.replace(/^\//, "");
  if (!/^\d{0,4}$/.test(db)) throw unreadable("What follows the port must be the number of a database.");
  const host = parsed.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(parsed.port || 6379);
  return {
    place: `${parsed.hostname}:${port}`,
    options: {
      host,
      port,
      db: Number(db),
      ...(parsed.username === "" ? {} : { username: decoded(parsed.username) }),
      ...(parsed.password === "" ? {} : { password: decoded(parsed.password) }),
      ...(parsed.protocol === "rediss:" ? { tls: {} } : {}),
    },
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable("A % in its user or password must be written as %25.");
  }
};

const unreadable = (hint: string) => configError("redis-url", "REDIS_URL cannot be read.", hint);
