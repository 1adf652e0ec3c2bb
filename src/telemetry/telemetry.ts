import type { Log } from "../base/log.ts";
import type { Store } from "../store/store.ts";
import type { EmitEvent } from "../thread/events.ts";
import type { Metrics } from "./metrics.ts";
import { readOtelEnvironment } from "./otel-environment.ts";
import type { SpanSink } from "./span.ts";

/** What an operator sees of threads from outside. */
export type Telemetry = {
  /** Takes in what happens in threads. */
  see: EmitEvent;
  metrics: Metrics;
  /** Sends what is left. */
  close(): Promise<void>;
};

export type TelemetryOptions = {
  env: Readonly<Record<string, string | undefined>>;
  log: Log;
  store: Pick<Store, "counts">;
};

/** Metrics, and traces where OpenTelemetry's variables ask for them: its packages are loaded only then. */
export const openTelemetry = async ({ env, log, store }: TelemetryOptions): Promise<Telemetry> => {
  const { openMetrics } = await import("./metrics.ts");
  const metrics = openMetrics({ store });
  const traces = await openTraces({ env, log });
  return {
    see: (event) => {
      metrics.see(event);
      traces?.see(event);
    },
    metrics,
    close: async () => traces?.close(),
  };
};

const openTraces = async ({
  env,
  log,
}: Omit<TelemetryOptions, "store">): Promise<{ see: EmitEvent; close: SpanSink["close"] } | null> => {
  const { settings, problems } = readOtelEnvironment(env);
  for (const problem of problems) log.warn({ problem }, "an OpenTelemetry setting is not as it should be");
  if (settings === null) return null;
  const [{ otlpSpans }, { threadSpans }] = await Promise.all([
    import("./otlp-spans.ts"),
    import("./thread-spans.ts"),
  ]);
  const sink = otlpSpans(settings, { log });
  return { see: threadSpans(sink.take), close: sink.close };
};
