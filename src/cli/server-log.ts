import { destination, type Logger, pino } from "pino";
import { currentLogScope } from "../base/log-scope.ts";
import type { Secrets } from "../base/redact.ts";

export type ServerLogOptions = {
  level: string;
  /** What no line may hold, in whatever encoding. */
  secrets: Pick<Secrets, "redact">;
  /** Takes whole lines. Default: standard error. */
  write?: (line: string) => void;
};

/**
 * The log of a process that serves: lines of JSON. Each says which thread, step, role or delivery was worked on; what is
 * secret is masked in the finished line, whoever wrote it and in whatever field.
 */
export const serverLog = ({ level, secrets, write = standardError() }: ServerLogOptions): Logger => {
  return pino(
    { name: "uwf", level, mixin: () => currentLogScope() },
    { write: (line: string) => write(secrets.redact(line)) },
  );
};

/** At once: what a process says before it dies must not be lost. */
const standardError = (): ((line: string) => void) => {
  const stream = destination({ dest: 2, sync: true });
  return (line) => void stream.write(line);
};
