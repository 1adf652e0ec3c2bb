import { inputError } from "../base/errors.ts";
import type { ReadStore } from "./store-session.ts";

const missing = () => Promise.reject(inputError("node-missing", "there is nothing in the store yet"));

/** What commands that only read find before anything was stored: looking creates nothing. */
export const emptyStore = (): ReadStore => ({
  get: async () => undefined,
  load: missing,
  loadAll: async (_, hashes) => (hashes.length === 0 ? [] : missing()),
  findHashes: async () => [],
  turns: missing,
  history: missing,
  walk: async function* () {},
  verify: async function* () {},
  thread: async () => undefined,
  findThreads: async () => [],
  threads: async () => [],
  leaseHolder: async () => undefined,
  workflowHash: async () => undefined,
  workflows: async () => [],
});
