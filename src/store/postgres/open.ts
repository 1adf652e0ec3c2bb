import { AppError, configError } from "../../base/errors.ts";
import type { Connection } from "./connection.ts";
import { codeOf, notAStore } from "./failure.ts";
import { migrations } from "./migrations.ts";
import type { Run } from "./run.ts";

/** PostgreSQL's number of its version 15.0. */
const OLDEST = 150_000;

/** Bringing a large store up to date takes as long as it takes; other processes wait for it. */
const MIGRATION = { answerMs: 600_000 };

/**
 * Brings the schema up to date where needed, creating it when it is missing; one process at a time does so. Throws an
 * `AppError` that names the database when that cannot be.
 */
export const prepareSchema = async (connection: Connection): Promise<void> => {
  const [row] = await connection.query<{ server: number; is_there: boolean }>({
    name: "server",
    text: `SELECT current_setting('server_version_num')::integer AS server,
      to_regclass('uwf.uwf_version') IS NOT NULL AS is_there`,
  });
  if (row !== undefined && row.server < OLDEST) throw tooOld(connection.name, row.server);
  const [version] =
    row?.is_there === true
      ? await connection.query<VersionRow>({ name: "version", text: versionQuery }).catch(refuse(connection))
      : [];
  if (version !== undefined && checked(connection, version) === migrations.length) return;
  await connection.session((run) => migrate(connection, run), MIGRATION);
};

type VersionRow = { version: number };

const versionQuery = "SELECT coalesce(max(version), 0)::integer AS version FROM uwf.uwf_version";

const migrate = async (connection: Connection, run: Run): Promise<void> => {
  const { schema } = connection;
  await run("BEGIN; SET LOCAL lock_timeout = 0");
  await run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`uwf migrations of ${schema}`]);
  const version = await versionNow(connection, run);
  if (version < migrations.length) {
    for (const migration of migrations.slice(version)) await run(migration);
    await run("INSERT INTO uwf.uwf_version (version) VALUES ($1)", [migrations.length]);
  }
  await run("COMMIT");
};

/** Under the lock: another process may have been here since. Makes what is missing for version 0. */
const versionNow = async (connection: Connection, run: Run): Promise<number> => {
  const { name, schema } = connection;
  const [there] = await run<{ schema: boolean; ours: boolean; others: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema,
      to_regclass('uwf.uwf_version') IS NOT NULL AS ours,
      EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('"' || $1 || '"')) AS others`,
    [schema],
  );
  if (there?.ours === true) {
    const [row] = await run<VersionRow>(versionQuery).catch(refuse(connection));
    return row === undefined ? 0 : checked(connection, row);
  }
  if (there?.others === true) throw notAStore(name, `its schema ${schema} holds other tables`);
  // The permission to create one is asked for even when it is there.
  if (there?.schema !== true) await run(`CREATE SCHEMA "${schema}"`);
  await run(
    "CREATE TABLE uwf.uwf_version (version integer PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now())",
  );
  return 0;
};

/** Somebody else's table may have the same name and other columns. */
const refuse =
  ({ name, schema }: Connection) =>
  (error: unknown): never => {
    const cause = error instanceof AppError ? error.cause : error;
    if (codeOf(cause) === "42703") throw notAStore(name, `its schema ${schema} holds other tables`);
    throw error;
  };

const checked = ({ name }: Connection, { version }: VersionRow): number => {
  if (version <= migrations.length) return version;
  throw configError(
    "store-too-new",
    `the store ${name} has schema version ${version}, this program knows versions up to ${migrations.length}`,
    "Run the newer uwf that wrote it, or name another database in the URL.",
  );
};

const tooOld = (name: string, server: number): AppError =>
  configError(
    "store-unreachable",
    `the database ${name} is PostgreSQL ${Math.floor(server / 10_000)}, which is too old`,
    `Use PostgreSQL ${OLDEST / 10_000} or newer.`,
  );
