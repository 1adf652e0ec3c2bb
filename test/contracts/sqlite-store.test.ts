import { sqliteStore } from "../../src/store/sqlite-store.ts";
import { temporaryStore } from "../fixtures/temporary-store.ts";
import { storeContract } from "./store.contract.ts";

storeContract("sqliteStore", async ({ now }) => {
  const { store, path, dispose } = temporaryStore({ now });
  return { store, another: async () => sqliteStore({ path, now }), dispose };
});
