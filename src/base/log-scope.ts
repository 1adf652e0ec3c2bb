import { AsyncLocalStorage } from "node:async_hooks";

/** What log lines are found by, by the same names everywhere. `step` counts from 1. */
export type LogScope = {
  thread?: string;
  /** Of a thread that plays a role: the topmost of those that it plays in, by which all of the work is found. */
  root?: string;
  step?: number;
  role?: string;
  delivery?: string;
  installation?: string;
};

const scopes = new AsyncLocalStorage<LogScope>();

/** Whatever is logged while `work` runs, wherever it is logged, has these fields too. */
export const inLogScope = <T>(scope: LogScope, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), ...scope }, work);

export const currentLogScope = (): LogScope => scopes.getStore() ?? {};
