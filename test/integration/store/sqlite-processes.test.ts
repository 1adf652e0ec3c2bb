import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import { storeProcessesContract } from "../../contracts/store-processes.contract.ts";

storeProcessesContract("sqliteStore", async () => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-store-"));
  const path = join(directory, "uwf.db");
  return {
    place: path,
    open: async (options) => sqliteStore({ path, ...options }),
    dispose: async () => rmSync(directory, { recursive: true, force: true }),
  };
});
