import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../../fixtures/telemetry-imports.ts", import.meta.url));

const loadedWith = async (env: Record<string, string>): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return JSON.parse(stdout) as string[];
};

it("loads OpenTelemetry's SDK for those who ask for traces, and for nobody else", async () => {
  const [without, asked] = await Promise.all([
    loadedWith({}),
    loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }),
  ]);

  // The library of the metrics brings the API, which is types and a few small functions.
  expect(without.filter((name) => name !== "@opentelemetry/api")).toEqual([]);
  expect(asked).toEqual(
    expect.arrayContaining(["@opentelemetry/sdk-trace", "@opentelemetry/exporter-trace-otlp-proto"]),
  );
});
