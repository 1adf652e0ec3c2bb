import type { Usage } from "../store/payload.ts";

/** Milliseconds for people: `0.4s`, `12s`, `3m 05s`, `1h 02m`. */
export const formatDuration = (ms: number): string => {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
};

const two = (value: number): string => String(value).padStart(2, "0");

const units: readonly (readonly [number, string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
];

/** How long ago, in its largest unit: `now`, `5m`, `3h`, `12d`. */
export const formatAge = (ms: number): string => {
  const unit = units.find(([size]) => ms >= size);
  return unit === undefined ? "now" : `${Math.floor(ms / unit[0])}${unit[1]}`;
};

/** US dollars, in cents from ten cents on and finer below. */
export const formatMoney = (usd: number): string => {
  if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
  return usd < 0.0001 ? "<$0.0001" : `$${usd.toFixed(4).replace(/0{1,2}$/, "")}`;
};

/** `950`, `12.3k`, `1.2M`. */
export const formatCount = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};

/** `950 B`, `12.3 kB`, `1.2 GB`. */
export const formatBytes = (bytes: number): string => {
  const unit = byteUnits.find(([size]) => bytes >= size * 0.99995);
  return unit === undefined ? `${bytes} B` : `${(bytes / unit[0]).toFixed(1)} ${unit[1]}`;
};

const byteUnits: readonly (readonly [number, string])[] = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** `12.3k tokens, $0.02`; the money is left out where no price is known. */
export const formatUsage = ({ inputTokens, outputTokens, costUsd }: Usage): string => {
  const tokens = `${formatCount(inputTokens + outputTokens)} tokens`;
  return costUsd === null ? tokens : `${tokens}, ${formatMoney(costUsd)}`;
};

/** `1 step`, `2 steps`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
