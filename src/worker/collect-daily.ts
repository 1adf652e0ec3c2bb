import { AppError, messageOf } from "../base/errors.ts";
import { randomPart } from "../base/process-holder.ts";
import { collectGarbage, HOUR_MS } from "../store/collect-garbage.ts";
import type { Engine } from "../thread/engine.ts";

const KEY = "collection of the day";
const DAY_MS = 24 * HOUR_MS;

/** After one that failed, or that another process was just doing. */
const AGAIN_MS = HOUR_MS;

type Parts = Pick<Engine, "store" | "holder" | "log"> & {
  /** Ends it between two batches. */
  signal: AbortSignal;
};

/**
 * Deletes the nodes that nothing leads to, once a day, in one of all working processes. Nobody gives the day's lease back: who
 * has taken it has done the day's work.
 */
export const collectDaily = async ({ store, holder, log, signal }: Parts): Promise<void> => {
  const own = `${holder}:${randomPart()}`;
  if (!(await store.lease(KEY, own, DAY_MS))) return;
  try {
    const { kept, collected, bytes, ms } = await collectGarbage(store, { holder, signal });
    const level = collected === 0 ? "debug" : "info";
    log[level]({ kept, collected, bytes, ms: Math.round(ms) }, "collected nodes that nothing leads to");
  } catch (error) {
    await store.lease(KEY, own, AGAIN_MS);
    if (signal.aborted) return;
    const level = error instanceof AppError && error.code === "collecting" ? "debug" : "warn";
    log[level]({ error: messageOf(error) }, "cannot collect nodes now");
  }
};
