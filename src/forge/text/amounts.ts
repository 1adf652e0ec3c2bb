import type { Usage } from "../../store/payload.ts";

/** `<1 s`, `8 s`, `3 min 12 s`, `1 h 4 min`; from milliseconds. */
export const duration = (ms: number): string => {
  if (ms > 0 && ms < 500) return "<1 s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
};

/** `950`, `4.1k`, `41k`, `1.2M`. */
export const count = (tokens: number): string => {
  if (tokens < 1000) return String(tokens);
  const [value, unit] = tokens < 999_500 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"];
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
};

/** `$0.12`, `<$0.01`; from US dollars. */
export const money = (usd: number): string => (usd > 0 && usd < 0.005 ? "<$0.01" : `$${usd.toFixed(2)}`);

/** Time, tokens and money on one line; only what is known, and no tokens where there were none. */
export const amounts = ({ ms, usage }: { ms: number | null; usage: Usage | null }): string => {
  const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens;
  return [
    ...(ms === null ? [] : [duration(ms)]),
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens`]),
    ...(usage === null || usage.costUsd === null || tokens === 0 ? [] : [money(usage.costUsd)]),
  ].join(" · ");
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `21 Nov 20:05 UTC`; from milliseconds since the epoch. */
export const moment = (at: number): string => {
  const date = new Date(at);
  const [hours, minutes] = [date.getUTCHours(), date.getUTCMinutes()].map((n) => String(n).padStart(2, "0"));
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${hours}:${minutes} UTC`;
};
