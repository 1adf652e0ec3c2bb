import { Gauge, type Registry } from "prom-client";
import type { Store, StoreCounts } from "../store/store.ts";

/** Scrapes that come sooner share one answer of the store. */
const VALID_MS = 1_000;

/**
 * What all processes of the store do together. `refresh` sets the gauges by what the store says now; it answers false when
 * the store does not say.
 */
export const storeMetrics = (
  registry: Registry,
  { store, now }: { store: Pick<Store, "counts">; now: () => number },
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

  let asked: { at: number; counts: Promise<StoreCounts | null> } | null = null;
  return {
    refresh: async () => {
      if (asked === null || asked.at + VALID_MS <= now())
        asked = { at: now(), counts: store.counts().catch(() => null) };
      const counts = await asked.counts;
      if (counts !== null) show(counts);
      return counts !== null;
    },
  };
};
