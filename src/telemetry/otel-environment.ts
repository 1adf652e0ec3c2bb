type Env = Readonly<Record<string, string | undefined>>;

export type OtelSettings = {
  url: string;
  headers: Readonly<Record<string, string>>;
  compression: "gzip" | "none";
  timeoutMs: number;
  /** Of the process, as `service.name` and the like. */
  resource: Readonly<Record<string, string>>;
  /** The part of traces that is sent, 0 to 1. */
  ratio: number;
  batch: { delayMs: number; spans: number; queued: number };
};

/** `settings` is null where nobody asked for traces; problems are lines for the log. */
export type OtelEnvironment = { settings: OtelSettings | null; problems: string[] };

/**
 * OpenTelemetry's usual variables (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/), as
 * far as they are about traces over HTTP. Traces are sent when an endpoint is named, or `OTEL_TRACES_EXPORTER=otlp`.
 */
export const readOtelEnvironment = (env: Env): OtelEnvironment => {
  const set = (name: string): string | null => env[name]?.trim() || null;
  /** What is said of traces alone goes before what is said of every signal. */
  const otlp = (name: string): string | null =>
    set(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? set(`OTEL_EXPORTER_OTLP_${name}`);
  const problems: string[] = [];
  const exporter = set("OTEL_TRACES_EXPORTER");
  const off = set("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || exporter === "none";
  const endpoint = off ? null : endpointOf(set, exporter);
  if (endpoint === null) return { settings: null, problems };
  if (exporter !== null && exporter !== "otlp")
    problems.push(`OTEL_TRACES_EXPORTER: traces are sent by otlp only, not by ${exporter}`);
  const protocol = otlp("PROTOCOL");
  if (protocol !== null && protocol !== "http/protobuf")
    problems.push(`OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent by http/protobuf only, not by ${protocol}`);
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    problems.push("OTEL_EXPORTER_OTLP_ENDPOINT: is no http or https address; no traces are sent");
    return { settings: null, problems };
  }
  const numbers = { env, problems };
  const settings: OtelSettings = {
    url: url.href,
    headers: otelHeaders(env),
    compression: otlp("COMPRESSION") === "gzip" ? "gzip" : "none",
    timeoutMs: Number(otlp("TIMEOUT")) || 10_000,
    resource: {
      "service.name": "uwf",
      ...pairs(set("OTEL_RESOURCE_ATTRIBUTES")),
      ...(set("OTEL_SERVICE_NAME") === null ? {} : { "service.name": set("OTEL_SERVICE_NAME") ?? "" }),
    },
    ratio: ratioOf(set, problems),
    batch: {
      delayMs: numberIn(numbers, "OTEL_BSP_SCHEDULE_DELAY", 5_000),
      spans: numberIn(numbers, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
      queued: numberIn(numbers, "OTEL_BSP_MAX_QUEUE_SIZE", 2_048),
    },
  };
  return { settings, problems };
};

/** What of these variables must stay in this process: headers are keys as a rule, with or without a scheme before them. */
export const otelSecrets = (env: Env): string[] =>
  Object.values(otelHeaders(env)).flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)]);

const otelHeaders = (env: Env): Record<string, string> => ({
  ...pairs(env.OTEL_EXPORTER_OTLP_HEADERS ?? null),
  ...pairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? null),
});

const endpointOf = (set: (name: string) => string | null, exporter: string | null): string | null => {
  const own = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own !== null) return own;
  const base = set("OTEL_EXPORTER_OTLP_ENDPOINT") ?? (exporter === "otlp" ? "http://localhost:4318" : null);
  return base === null ? null : `${base.replace(/\/+$/, "")}/v1/traces`;
};

/** A thread's trace has no parent outside: a sampler that asks its parent first asks nobody. */
const ratioOf = (set: (name: string) => string | null, problems: string[]): number => {
  const sampler = (set("OTEL_TRACES_SAMPLER") ?? "always_on").replace(/^parentbased_/, "");
  if (sampler === "always_on") return 1;
  if (sampler === "always_off") return 0;
  if (sampler !== "traceidratio") {
    problems.push(`OTEL_TRACES_SAMPLER: there is no ${sampler} here; every trace is sent`);
    return 1;
  }
  const ratio = Number(set("OTEL_TRACES_SAMPLER_ARG") ?? 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  problems.push("OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1; every trace is sent");
  return 1;
};

const numberIn = (
  { env, problems }: { env: Env; problems: string[] },
  name: string,
  without: number,
): number => {
  const text = env[name]?.trim();
  if (!text) return without;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  problems.push(`${name}: must be a whole number above 0; ${without} is taken`);
  return without;
};

/** `name=value,name=value`, values percent-encoded. */
const pairs = (text: string | null): Record<string, string> =>
  Object.fromEntries(
    (text ?? "")
      .split(",")
      .map((pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()])
      .filter(([name, value]) => name !== "" && value !== "")
      .map(([name = "", value = ""]) => [name, decoded(value)]),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare % stands for itself.
    return text;
  }
};
