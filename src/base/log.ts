/** The part of a pino logger that the library uses. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const ignore = (): void => undefined;

/** A log that keeps nothing. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
