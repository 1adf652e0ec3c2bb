import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import type { JobHandler, Queue } from "../../../src/queue/queue.ts";
import type { StoreCounts } from "../../../src/store/store.ts";
import { countedQueue } from "../../../src/telemetry/count-jobs.ts";
import { openMetrics } from "../../../src/telemetry/metrics.ts";
import type { ThreadEvent } from "../../../src/thread/events.ts";

type WithoutPlace<E> = E extends unknown ? Omit<E, "thread" | "at"> : never;

const NOW = 1_000_000;
const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 7, costUsd: 0.25 };
const model = { alias: "fast", name: "small-1", provider: "openai" };
const counts: StoreCounts = {
  threads: { queued: 2, running: 1, paused: 0, suspended: 0, completed: 9, failed: 0, cancelled: 0 },
  waitingSince: NOW - 5_000,
  pendingDeliveries: 3,
  deliveriesSince: null,
  workers: 2,
  places: 8,
};

const setUp = ({
  answer = async () => counts,
  limitMs,
}: {
  answer?: () => Promise<StoreCounts>;
  limitMs?: number;
} = {}) => {
  let asked = 0;
  const metrics = openMetrics({
    store: {
      counts: () => {
        asked++;
        return answer();
      },
    },
    now: () => NOW,
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  const see = (event: WithoutPlace<ThreadEvent>) =>
    metrics.see({ thread: "01J" as ThreadId, at: NOW, ...event } as ThreadEvent);
  const lines = async () =>
    (await metrics.exposition()).text
      .split("\n")
      .filter((line) => /^uwf_/.test(line) && !line.includes("_bucket"));
  return { metrics, see, lines, asked: () => asked };
};

describe("metrics", () => {
  it("count what happens in threads", async () => {
    const { see, lines } = setUp();

    const call = { kind: "model-called", role: "r", model } as const;
    see({ ...call, ms: 1_500, result: { answeredBy: "small-1", finish: "stop", usage } });
    see({ ...call, ms: 500, result: { error: "model-unavailable" } });
    see({ kind: "model-waiting", role: "r", reason: "429", ms: 1 });
    see({ kind: "tool-finished", role: "r", callId: "1", name: "read_file", ok: true, text: "", ms: 20 });
    see({
      kind: "tool-finished",
      role: "r",
      callId: "2",
      name: 'x"} 1\nuwf_fake 1',
      ok: false,
      text: "",
      ms: 20,
    });
    see({ kind: "step-finished", role: "r", index: 0, hash: "H" as Hash, output: null, usage, ms: 60_000 });
    see({ kind: "status", status: "running", reason: null });
    see({ kind: "status", status: "completed", reason: null });

    const shown = await lines();
    expect(shown).toEqual(
      expect.arrayContaining([
        'uwf_model_calls_total{model="fast",outcome="ok"} 1',
        'uwf_model_calls_total{model="fast",outcome="model-unavailable"} 1',
        'uwf_model_call_seconds_sum{model="fast"} 2',
        "uwf_model_waits_total 1",
        'uwf_tokens_total{model="fast",kind="input"} 40',
        'uwf_tokens_total{model="fast",kind="cached_input"} 60',
        'uwf_tokens_total{model="fast",kind="output"} 7',
        'uwf_cost_usd_total{model="fast"} 0.25',
        'uwf_tool_calls_total{tool="read_file",outcome="ok"} 1',
        'uwf_tool_calls_total{tool="other",outcome="failed"} 1',
        "uwf_steps_total 1",
        "uwf_step_seconds_sum 60",
        'uwf_thread_stops_total{status="completed"} 1',
      ]),
    );
    expect(shown.join("\n")).not.toMatch(/uwf_fake|stops_total\{status="running/);
  });

  it("tell what the store counts, and ask it once for scrapes at once", async () => {
    const { lines, asked } = setUp();

    const [shown = []] = await Promise.all([lines(), lines()]);

    expect(shown).toEqual(
      expect.arrayContaining([
        "uwf_store_up 1",
        'uwf_threads{status="queued"} 2',
        'uwf_threads{status="completed"} 9',
        "uwf_thread_waiting_seconds 5",
        "uwf_deliveries_pending 3",
        "uwf_delivery_pending_seconds 0",
        "uwf_workers 2",
        "uwf_worker_places 8",
      ]),
    );
    expect(asked()).toBe(1);
  });

  it("tell what they know when the store does not answer, and no old figure", async () => {
    const { metrics, lines } = setUp({ answer: () => Promise.reject(new Error("gone")) });
    metrics.webhook({ forge: "github", outcome: "not-stored", seconds: 0.02 });

    const shown = await lines();

    expect(shown).toEqual(
      expect.arrayContaining([
        "uwf_store_up 0",
        'uwf_webhooks_total{forge="github",outcome="not-stored"} 1',
        'uwf_webhook_seconds_sum{forge="github"} 0.02',
      ]),
    );
    expect(shown.filter((line) => line.startsWith("uwf_threads"))).toEqual([]);
  });

  it("tell what they know while the store takes its time, and ask it no second time", async () => {
    const waited = Promise.withResolvers<StoreCounts>();
    const { lines, asked } = setUp({ answer: () => waited.promise, limitMs: 20 });

    const shown = [await lines(), await lines()];
    waited.resolve(counts);
    await waited.promise;

    expect(shown.flatMap((each) => each.filter((line) => /^uwf_(store_up|workers)/.test(line)))).toEqual([
      "uwf_store_up 0",
      "uwf_store_up 0",
    ]);
    expect(asked()).toBe(1);
    expect(await lines()).toContain("uwf_store_up 1");
  });

  it("speak of the process too, and are text that Prometheus takes", async () => {
    const { metrics } = setUp();

    const { contentType, text } = await metrics.exposition();

    expect(contentType).toContain("text/plain");
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text.split("\n").filter((line) => !/^(#.*|[a-z_0-9]+(\{.*\})? \S+|)$/.test(line))).toEqual([]);
    const helped = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
    expect(new Set(helped).size).toBe(helped.length);
  });

  it("count jobs by how they end", async () => {
    const { metrics, lines } = setUp();
    const handlers: JobHandler[] = [];
    const queue: Queue = {
      enqueue: async () => undefined,
      work: (handler) => {
        handlers.push(handler);
        return { close: async () => undefined };
      },
      check: async () => undefined,
      close: async () => undefined,
    };
    const gate = Promise.withResolvers<void>();
    const results = [
      () => Promise.resolve(),
      () => Promise.reject(new AppError("later", { code: "x", remedy: "retry" })),
      () => Promise.reject(new Error("never")),
      () => gate.promise,
    ];
    countedQueue(queue, metrics).work(() => results.shift()?.() ?? Promise.resolve(), { concurrency: 1 });
    const [handler] = handlers;
    const take = () => handler?.({ kind: "delivery", id: "d" }, new AbortController().signal);

    await Promise.allSettled([take(), take(), take()]);
    const running = take();
    const shown = await lines();
    gate.resolve();
    await running;

    expect(shown).toEqual(
      expect.arrayContaining([
        'uwf_jobs_running{kind="delivery"} 1',
        'uwf_jobs_total{kind="delivery",outcome="done"} 1',
        'uwf_jobs_total{kind="delivery",outcome="retried"} 1',
        'uwf_jobs_total{kind="delivery",outcome="failed"} 1',
      ]),
    );
  });
});
