import type { Hash } from "../base/ids.ts";
import { recent } from "../base/recent.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** What threads are pinned to. Throws as `Store.load`. */
export type Pinned = {
  workflow(hash: Hash): Promise<Workflow>;
  agent(hash: Hash): Promise<Payload<"agent">>;
};

const MOST = 100;
const stores = new WeakMap<Store, Pinned>();

/** Many threads share one workflow and its agents, and a node never changes: each is read once. */
export const pinnedIn = (store: Store): Pinned => {
  const known = stores.get(store);
  if (known !== undefined) return known;
  const pinned: Pinned = {
    workflow: recent((hash) => loadStoredWorkflow(store, hash), { most: MOST }),
    agent: recent((hash) => store.load("agent", hash), { most: MOST }),
  };
  stores.set(store, pinned);
  return pinned;
};
