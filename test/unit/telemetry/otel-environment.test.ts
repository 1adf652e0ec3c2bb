import { describe, expect, it } from "vitest";
import { otelSecrets, readOtelEnvironment } from "../../../src/telemetry/otel-environment.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const read = (env: Record<string, string>) => readOtelEnvironment(env);

describe("readOtelEnvironment", () => {
  it.each([
    [endpoint, "http://collector:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example/otlp/" }, "https://c.example/otlp/v1/traces"],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t:1/in" }, "http://t:1/in"],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, "http://localhost:4318/v1/traces"],
  ])("finds where traces go in %j", (env, url) => {
    expect(read(env)).toMatchObject({ settings: { url }, problems: [] });
  });

  it.each([
    {},
    { OTEL_SERVICE_NAME: "uwf" },
    { ...endpoint, OTEL_SDK_DISABLED: "TRUE" },
    { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
  ])("sends nothing with %j", (env) => {
    expect(read(env)).toEqual({ settings: null, problems: [] });
  });

  it("has defaults for everything but the endpoint", () => {
    expect(read(endpoint).settings).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      compression: "none",
      timeoutMs: 10_000,
      resource: { "service.name": "uwf" },
      ratio: 1,
      batch: { delayMs: 5_000, spans: 512, queued: 2_048 },
    });
  });

  it("lets what is said of traces go before what is said of everything", () => {
    const { settings } = read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: "1",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "2",
      OTEL_EXPORTER_OTLP_COMPRESSION: "none",
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1, b = two%20words ,broken,=x",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=100%",
    });

    expect(settings).toMatchObject({
      timeoutMs: 2,
      compression: "gzip",
      headers: { a: "100%", b: "two words" },
    });
  });

  it.each([
    ["parentbased_traceidratio", "0.25", 0.25],
    ["traceidratio", "0", 0],
    ["parentbased_always_on", "", 1],
    ["always_off", "", 0],
  ])("reads the sampler %s %s", (sampler, argument, ratio) => {
    const env = { ...endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };

    expect(read(env)).toMatchObject({ settings: { ratio }, problems: [] });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "http/protobuf only, not by grpc"],
    [{ OTEL_TRACES_EXPORTER: "console" }, "otlp only, not by console"],
    [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, "jaeger_remote"],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, "from 0 to 1"],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: "many" }, "OTEL_BSP_MAX_QUEUE_SIZE"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, "no http or https address"],
  ])("says what is wrong with %j", (env, problem) => {
    expect(read({ ...endpoint, ...env }).problems).toEqual([expect.stringContaining(problem)]);
  });

  it("names what must stay secret", () => {
    expect(otelSecrets({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20t0ken,x-key=k3y" })).toEqual([
      "Bearer t0ken",
      "t0ken",
      "k3y",
      "k3y",
    ]);
  });
});
