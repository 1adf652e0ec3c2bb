import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";

export type Outage = {
  /** Says so, unless it said the same since things last went well. */
  failed(error: unknown): void;
  over(): void;
};

/** Says once that something does not answer, however often it is tried, and once that it does again. */
export const outageOf = (
  log: Log,
  { fields, failed, over }: { fields: object; failed: string; over: string },
): Outage => {
  let said = false;
  return {
    failed: (error) => {
      log[said ? "debug" : "warn"]({ ...fields, error: reasonOf(error) }, failed);
      said = true;
    },
    over: () => {
      if (said) log.info(fields, over);
      said = false;
    },
  };
};

/** Where several addresses of one name were tried, only the error's code says anything. */
export const reasonOf = (error: unknown): string =>
  messageOf(error) || (error instanceof Error && "code" in error ? String(error.code) : "unknown reason");

export const storeOutage = (log: Log): Outage =>
  outageOf(log, {
    fields: {},
    failed: "cannot read the queue from the store",
    over: "the queue is read from the store again",
  });
