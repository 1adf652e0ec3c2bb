import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { OtelSettings } from "./otel-environment.ts";
import type { Span, SpanSink } from "./span.ts";

/** An enumeration of strings that no package of ours exports. */
type Compression = NonNullable<
  NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>["compression"]
>;

/** At the process's end nobody waits longer for a collector that does not answer. */
const LAST_WORDS_MS = 5_000;

/** Sends spans in batches, as protobuf over HTTP. Nothing of OpenTelemetry's global state is touched. */
export const otlpSpans = (settings: OtelSettings, { log }: { log: Log }): SpanSink => {
  const { url, headers, compression, timeoutMs, batch, resource, ratio } = settings;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    compression: compression as Compression,
  });
  const random = new RandomIdGenerator();
  let next: Pick<Span, "traceId" | "spanId"> = { traceId: "", spanId: null };
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resource)),
    idGenerator: {
      generateTraceId: () => next.traceId,
      generateSpanId: () => next.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: outspoken(exporter, log),
        scheduledDelayMillis: batch.delayMs,
        maxExportBatchSize: Math.min(batch.spans, batch.queued),
        maxQueueSize: batch.queued,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer("uwf");
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const isSampled = (traceId: string): boolean =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  return {
    take: (span) => {
      const { traceId, parentId, name, kind, startMs, endMs, attributes, error } = span;
      if (!isSampled(traceId)) return;
      next = span;
      const parent = { traceId, spanId: parentId ?? "", traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const made = tracer.startSpan(
        name,
        {
          kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
          startTime: startMs,
          attributes: { ...attributes, ...(error === null ? {} : { "error.type": error }) },
        },
        parentId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      );
      if (error !== null) made.setStatus({ code: SpanStatusCode.ERROR });
      made.end(endMs);
    },
    close: async () => {
      const tooLate = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
      const shutdown = provider.shutdown().catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, "the last traces were not sent");
      });
      await Promise.race([shutdown, tooLate]);
    },
  };
};

/** Says when traces begin to be lost and when they no longer are, and nothing in between. */
const outspoken = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0;
        if (failed && !isFailing)
          log.warn({ error: messageOf(result.error ?? "refused") }, "traces are not taken");
        if (!failed && isFailing) log.info({}, "traces are taken again");
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
};
