import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { Store, StoreCounts } from "../store/store.ts";

/** Scrapes that come sooner share one answer of the store. */
const VALID_MS = 1_000;
/** The store waits long for a lost database. Prometheus gives a scrape ten seconds, and it has more to hear. */
const LIMIT_MS = 2_000;

/**
 * What all processes of the store do together. `refresh` sets the gauges by what the store says now; it answers false when
 * the store does not say.
 */
export const storeMetrics = (
  registry: Registry,
  {
    store,
    now,
    limitMs = LIMIT_MS,
  }: { store: Pick<Store, "counts">; now: () => number; limitMs?: number | undefined },
): { refresh(): Promise<boolean> } => {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const threads = gauge("uwf_threads", "Threads by state.", ["status"]);
  const waiting = gauge(
    "uwf_thread_waiting_seconds",
    "Age of the wait of the thread that waits longest for a worker.",
  );
  const pending = gauge("uwf_deliveries_pending", "Deliveries that are stored and not handled.");
  const pendingAge = gauge("uwf_delivery_pending_seconds", "Age of the oldest delivery that is not handled.");
  const workers = gauge("uwf_workers", "Living workers.");
  const places = gauge("uwf_worker_places", "Threads that the living workers may run at once.");

  const show = (counts: StoreCounts): void => {
    const age = (since: number | null): number => (since === null ? 0 : Math.max(0, now() - since) / 1000);
    for (const [status, count] of Object.entries(counts.threads)) threads.set({ status }, count);
    waiting.set(age(counts.waitingSince));
    pending.set(counts.pendingDeliveries);
    pendingAge.set(age(counts.deliveriesSince));
    workers.set(counts.workers);
    places.set(counts.places);
  };

  let asked: { at: number; isOver: boolean; counts: Promise<StoreCounts | null> } | null = null;
  const ask = () => {
    const question = { at: now(), isOver: false, counts: store.counts().catch(() => null) };
    void question.counts.then(() => {
      question.isOver = true;
    });
    return question;
  };
  return {
    refresh: async () => {
      // What has no answer yet is not asked once more.
      if (asked === null || (asked.isOver && asked.at + VALID_MS <= now())) asked = ask();
      const counts = await within(limitMs, asked.counts);
      if (counts !== null) show(counts);
      return counts !== null;
    },
  };
};

const within = async <T>(ms: number, answer: Promise<T | null>): Promise<T | null> => {
  const answered = new AbortController();
  try {
    return await Promise.race([answer, sleep(ms, null, { signal: answered.signal })]);
  } finally {
    answered.abort();
  }
};
