import type { JsonSchema } from "../../base/json.ts";
import { fromPattern } from "./from-pattern.ts";

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  duration: "P1D",
  email: "somebody@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/a",
  url: "https://example.org/a",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** Texts that a schema may take: a plain one, those of conditions, and all of these together. */
export const textsFor = (schema: JsonSchema, known: readonly string[]): string[] => {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
  const format = typeof schema.format === "string" ? formats[schema.format] : undefined;
  const pattern = typeof schema.pattern === "string" ? fromPattern(schema.pattern) : undefined;
  const plain = format ?? pattern ?? "text";
  const fitted = plain.padEnd(Math.min(least, 10_000), " text").slice(0, Math.min(most, 10_000));
  const others = [...known, known.join(" "), ...(least === 0 ? [""] : [])];
  return [fitted, ...others.filter((text) => text.length >= least && text.length <= most)];
};
