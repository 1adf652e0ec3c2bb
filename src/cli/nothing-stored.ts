import { inputError } from "../base/errors.ts";
import { prefixRange } from "../store/prefix.ts";
import type { ReadStore } from "./store-reader.ts";

const missing = () => Promise.reject(inputError("node-missing", "there is nothing in the store yet"));

/** Too short a prefix is refused as any store does. */
const nothingWith = (prefix: string): [] => {
  prefixRange(prefix);
  return [];
};

/** What commands that only read find before anything was stored: looking creates nothing. */
export const nothingStored = (): ReadStore => ({
  get: async () => undefined,
  load: missing,
  loadAll: async (_, hashes) => (hashes.length === 0 ? [] : missing()),
  findHashes: async (prefix) => nothingWith(prefix),
  turns: missing,
  history: missing,
  walk: async function* () {},
  verify: async function* () {},
  thread: async () => undefined,
  findThreads: async (prefix) => nothingWith(prefix),
  threads: async () => [],
  leaseHolder: async () => undefined,
  link: async () => undefined,
  linkedThreads: async () => [],
  workflowHash: async () => undefined,
  workflows: async () => [],
});
