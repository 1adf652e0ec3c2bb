import type { Log } from "../base/log.ts";
import { plainLine } from "./terminal-text.ts";

const levels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/** Log lines for people, without the time: `warn: lost the lease thread=01JD…`. Nothing below warnings unless asked for. */
export const lineLog = (
  write: (line: string) => void,
  { env }: { env: Readonly<Record<string, string | undefined>> },
): Log => {
  const least = levels.findIndex((level) => level === (env.LOG_LEVEL?.trim() || "warn"));
  const at = (level: (typeof levels)[number]) => (fields: object, message: string) => {
    if (levels.indexOf(level) >= least) write(`${level}: ${plainLine(`${message} ${showFields(fields)}`)}\n`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
};

const showFields = (fields: object): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${showValue(value)}`)
    .join(" ");

const showValue = (value: unknown): string => {
  if (value instanceof Error) return JSON.stringify(value.stack ?? value.message);
  return typeof value === "string" && /^[\w.:/@-]+$/.test(value)
    ? value
    : (JSON.stringify(value) ?? "undefined");
};
