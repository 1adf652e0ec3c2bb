import type { Hash } from "../../base/ids.ts";
import type { LeaseStore } from "../../store/hold-lease.ts";
import type { Node } from "../../store/node.ts";
import type { NodeType, Payload } from "../../store/payload.ts";
import { wrongType } from "../../store/read-node.ts";
import type { Store } from "../../store/store.ts";

export type ScratchStore = Pick<Store, "put" | "get" | "load" | "loadAll" | keyof LeaseStore>;

/** Reads a store, and keeps what is put for itself, in memory: the store stays as it is. Leases are the store's own. */
export const scratchStore = (store: ScratchStore): ScratchStore => {
  const own = new Map<Hash, Node>();
  const load = async <T extends NodeType>(type: T, hash: Hash): Promise<Payload<T>> => {
    const node = own.get(hash);
    if (node === undefined) return store.load(type, hash);
    if (node.type !== type) throw wrongType(hash, node.type, type);
    return node.payload as Payload<T>;
  };
  return {
    put: async (nodes) => {
      for (const node of nodes) own.set(node.hash, node);
    },
    get: async (hash) => own.get(hash) ?? store.get(hash),
    load,
    loadAll: async (type, hashes) => {
      const stored = hashes.filter((hash) => !own.has(hash));
      const loaded = new Map(
        (await store.loadAll(type, stored)).map((payload, index) => [stored[index], payload] as const),
      );
      return Promise.all(hashes.map(async (hash) => loaded.get(hash) ?? load(type, hash)));
    },
    lease: (key, holder, ttlMs) => store.lease(key, holder, ttlMs),
    release: (key, holder) => store.release(key, holder),
    leaseHolder: (key) => store.leaseHolder(key),
  };
};
