import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Job } from "../queue/queue.ts";
import type { Store } from "../store/store.ts";
import type { ThreadEvent } from "../thread/events.ts";
import { storeMetrics } from "./store-metrics.ts";
import { threadMetrics } from "./thread-metrics.ts";

export type JobOutcome = "done" | "failed" | "retried";

/** The process's metrics, for Prometheus. */
export interface Metrics {
  see(event: ThreadEvent): void;
  webhook(seen: { forge: string; outcome: string; seconds: number }): void;
  /** A job begins; call what it answers when the job is over. */
  job(kind: Job["kind"]): (outcome: JobOutcome) => void;
  exposition(): Promise<{ contentType: string; text: string }>;
}

const WEBHOOK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export const openMetrics = ({
  store,
  now = Date.now,
  limitMs,
}: {
  store: Pick<Store, "counts">;
  now?: () => number;
  /** Milliseconds that the store may take to answer a scrape. */
  limitMs?: number;
}): Metrics => {
  const own = new Registry();
  const shared = new Registry();
  collectDefaultMetrics({ register: own });
  const up = new Gauge({
    name: "uwf_store_up",
    help: "1 when the store answered this scrape.",
    registers: [own],
  });
  const counts = storeMetrics(shared, { store, now, limitMs });
  return {
    see: threadMetrics(own),
    webhook: webhookMetrics(own),
    job: jobMetrics(own),
    exposition: async () => {
      const isUp = await counts.refresh();
      up.set(isUp ? 1 : 0);
      // Without the store's word there is no figure, rather than an old one.
      const texts = await Promise.all([own.metrics(), isUp ? shared.metrics() : ""]);
      return { contentType: own.contentType, text: texts.join("\n") };
    },
  };
};

const webhookMetrics = (registry: Registry): Metrics["webhook"] => {
  const deliveries = new Counter({
    name: "uwf_webhooks_total",
    help: "Webhook deliveries, by what became of them.",
    labelNames: ["forge", "outcome"],
    registers: [registry],
  });
  const latency = new Histogram({
    name: "uwf_webhook_seconds",
    help: "Time from a delivery's headers to its answer.",
    labelNames: ["forge"],
    buckets: WEBHOOK_SECONDS,
    registers: [registry],
  });
  return ({ forge, outcome, seconds }) => {
    deliveries.inc({ forge, outcome });
    latency.observe({ forge }, seconds);
  };
};

const jobMetrics = (registry: Registry): Metrics["job"] => {
  const labelNames = ["kind"] as const;
  const running = new Gauge({
    name: "uwf_jobs_running",
    help: "Jobs that this process works on.",
    labelNames,
    registers: [registry],
  });
  const over = new Counter({
    name: "uwf_jobs_total",
    help: "Jobs that are over: done, failed for good, or to be tried again.",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  return (kind) => {
    running.inc({ kind });
    return (outcome) => {
      running.dec({ kind });
      over.inc({ kind, outcome });
    };
  };
};
