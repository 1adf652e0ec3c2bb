import { storageRootOf } from "./storage-root.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the store is: in the storage root, or in a PostgreSQL database. */
export type StorePlace = { storageRoot: string; databaseUrl: string | null };

/**
 * The store's place alone, without reading the rest of the configuration, for commands that need nothing else. Throws
 * `config-invalid` (fix-config) for an address that is none.
 */
export const storePlaceOf = async (env: Env): Promise<StorePlace> => {
  const storageRoot = storageRootOf(env);
  const { join } = await import("node:path");
  const { existsSync } = await import("node:fs");
  const isPlain = !env.DATABASE_URL?.trim() && !existsSync(join(storageRoot, ".env"));
  if (isPlain) return { storageRoot, databaseUrl: null };
  const { databaseUrlOf } = await import("./load-config.ts");
  return { storageRoot, databaseUrl: databaseUrlOf(env) };
};
