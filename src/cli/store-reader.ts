import type { Store } from "../store/store.ts";

/** The part of a store that looks and changes nothing. */
export type ReadStore = Pick<
  Store,
  | "get"
  | "load"
  | "loadAll"
  | "findHashes"
  | "turns"
  | "history"
  | "walk"
  | "verify"
  | "thread"
  | "findThreads"
  | "threads"
  | "leaseHolder"
  | "link"
  | "linkedThreads"
  | "workflowHash"
  | "workflows"
>;
