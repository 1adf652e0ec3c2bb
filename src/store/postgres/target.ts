import { configError } from "../../base/errors.ts";

/** Where the database is. */
export type Target = {
  /** For the driver. Holds the password. */
  connectionString: string;
  /** For people: `uwf on db.example.org:5432`, without user and password. */
  name: string;
};

/**
 * What holds for each statement. A plan that is kept must not rest on how small a table was when it was made; planning
 * again for the values at hand, or compiling, takes longer than any statement of ours; and one that nobody waits for any
 * longer must not be done late.
 */
const settings = ["jit=off", "enable_seqscan=off", "plan_cache_mode=force_generic_plan"];

/**
 * Reads a database's URL, `postgres://` or `postgresql://`, as libpq does: with `host` for a socket's directory, `options`,
 * and `sslmode`, `sslrootcert`, `sslcert`, `sslkey` (the driver knows no `allow`, and no way back to plain text from
 * `prefer`). Without `sslmode` nothing is encrypted unless the environment has PGSSLMODE.
 */
export const targetOf = (text: string, { lockMs }: { lockMs: number }): Target => {
  const url = parse(text);
  const parameters = url.searchParams;
  const options = [...settings, `lock_timeout=${lockMs}`].map((setting) => `-c ${setting}`);
  parameters.set("options", [parameters.get("options") ?? "", ...options].join(" ").trim());
  if (parameters.has("sslmode") && !parameters.has("uselibpqcompat"))
    parameters.set("uselibpqcompat", "true");
  const host = parameters.get("host") ?? decoded(url.hostname);
  const port = parameters.get("port") ?? url.port;
  const database = decoded(url.pathname.slice(1));
  if (database === "")
    throw configError("store-unreachable", "the database's URL names no database", example);
  return {
    connectionString: url.href,
    name: `${database} on ${host === "" ? "this machine" : host}${port === "" ? "" : `:${port}`}`,
  };
};

const example = "Write it as postgres://user:password@host:5432/database.";

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
};

const unreadable = () =>
  configError(
    "store-unreachable",
    "the database's URL cannot be read",
    `${example} Characters such as @ / # ? % in a password are written as %40 %2F %23 %3F %25.`,
  );

/** Its text is never shown: it may hold a password. */
const parse = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) throw unreadable();
  return url;
};
