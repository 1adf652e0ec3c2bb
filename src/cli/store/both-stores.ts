import { configError, inputError } from "../../base/errors.ts";
import type { Side, Sides } from "../../store/copy/side.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../context.ts";
import { lineLog } from "../log.ts";

const kinds = ["postgres", "sqlite"] as const;
export type StoreKind = (typeof kinds)[number];

export const isStoreKind = (text: string): text is StoreKind => kinds.some((kind) => kind === text);

/**
 * Opens both stores of this storage root for as long as `work` takes, the source first, so that nothing is made where nothing
 * can be copied. Throws `database-unconfigured` (fix-config) and `nothing-stored` (fix-input).
 */
export const withBothStores = async <T>(
  context: Pick<Context, "env" | "stderr">,
  to: StoreKind,
  work: (sides: Sides) => Promise<T>,
): Promise<T> => {
  const [{ openPostgres, openStore }, { storePlaceOf }, { existsSync }, { join }] = await Promise.all([
    import("../../app.ts"),
    import("../../config/store-place.ts"),
    import("node:fs"),
    import("node:path"),
  ]);
  const { storageRoot, databaseUrl } = await storePlaceOf(context.env);
  if (databaseUrl === null) throw unconfigured(storageRoot);
  const path = join(storageRoot, "uwf.db");
  if (to === "postgres" && !existsSync(path))
    throw inputError(
      "nothing-stored",
      `there is no store to copy: ${path} is missing`,
      "Set UWF_STORAGE_ROOT to the directory that has it, or begin with the empty database.",
    );
  const log = lineLog((line) => context.stderr.write(line), context);
  const sqlite = async (): Promise<Side> =>
    side(await openStore({ storageRoot, databaseUrl: null }), `the file ${path}`);
  const postgres = async (): Promise<Side> =>
    side(await openPostgres(databaseUrl, { log }), "the database that DATABASE_URL names");
  const [openSource, openTarget] = to === "postgres" ? [sqlite, postgres] : [postgres, sqlite];
  return withSide(openSource, (from) => withSide(openTarget, (target) => work({ from, to: target })));
};

const side = (store: Store, name: string): Side => ({ store, name });

const withSide = async <T>(open: () => Promise<Side>, work: (side: Side) => Promise<T>): Promise<T> => {
  const opened = await open();
  try {
    await opened.store.check();
    return await work(opened);
  } finally {
    await opened.store.close();
  }
};

const unconfigured = (storageRoot: string) =>
  configError(
    "database-unconfigured",
    "DATABASE_URL is not set: there is no PostgreSQL database to copy to or from",
    `Set it to postgres://user:password@host:port/database, in the environment or in ${storageRoot}/.env.`,
  );
