import { performance } from "node:perf_hooks";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { processHolder } from "../base/process-holder.ts";
import type { QueueStore } from "./due-jobs.ts";

const TTL_MS = 15_000;
const BEAT_MS = 5_000;

/** The threads that one worker may run at once, as the store counts them when it admits threads. */
export type Places = {
  /** To be called every few seconds for as long as the worker takes threads. */
  keep(): Promise<void>;
  giveUp(): Promise<void>;
};

/** Counts time by a clock that nobody sets: a beat left out has the store admit nothing. */
export const workerPlaces = (store: QueueStore, { places, log }: { places: number; log: Log }): Places => {
  const worker = processHolder();
  let next = Number.NEGATIVE_INFINITY;
  let givenUp = places === 0;
  let beat: Promise<void> = Promise.resolve();
  return {
    keep: async () => {
      if (givenUp || performance.now() < next) return;
      beat = store.beat(worker, { places, ttlMs: TTL_MS });
      await beat;
      next = performance.now() + BEAT_MS;
    },
    giveUp: async () => {
      if (givenUp) return;
      givenUp = true;
      // A beat that came after it would take the places again.
      await Promise.allSettled([beat]);
      // Its places are forgotten by themselves a little later.
      await store.retire(worker).catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, "cannot tell the store that this worker takes no more threads");
      });
    },
  };
};
