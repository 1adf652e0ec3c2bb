import type { Store } from "../store/store.ts";
import type { Context } from "./context.ts";
import type { ReadStore } from "./store-reader.ts";

/** A person waits. */
const SHORT_PATIENCE_MS = 3_000;

/** Opens the store for a command that only looks: where nothing was stored yet, nothing is created. */
export const readStore = async <T>(
  context: Pick<Context, "env">,
  work: (store: ReadStore) => Promise<T>,
): Promise<T> => {
  const { existsSync } = await import("node:fs");
  const { storePlaceOf } = await import("../config/store-place.ts");
  const { storageRoot, databaseUrl } = await storePlaceOf(context.env);
  if (databaseUrl !== null || existsSync(storageRoot)) return withStore(context, work);
  const { nothingStored } = await import("./nothing-stored.ts");
  return work(nothingStored());
};

/** Opens the store for as long as `work` takes; its place alone is asked of the configuration, which is quick. */
export const withStore = async <T>(
  { env }: Pick<Context, "env">,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const [{ openStore }, { storePlaceOf }] = await Promise.all([
    import("../app.ts"),
    import("../config/store-place.ts"),
  ]);
  const store = await openStore(await storePlaceOf(env), { patienceMs: SHORT_PATIENCE_MS });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};
