import { Script } from "node:vm";
import { inputError } from "./errors.ts";
import { isObject } from "./json.ts";

const script = new Script("work()", { filename: "time-limit" });

/** How often work is begun that the machine had no time for; each time it may wait twice as long. */
const TRIES = 10;

/**
 * Runs synchronous work that untrusted input steers, and stops it after `ms` milliseconds of computing wherever it is: in
 * a loop, or in a regular expression that backtracks without end. On a machine that is busy with other things, or stood
 * still, the work is begun again, so it must change nothing. Throws `too-slow`, or what the work throws.
 */
export const withinTime = <T>(what: string, ms: number, work: () => T): T => {
  for (let tries = 1; ; tries++) {
    const before = computedMs();
    try {
      return script.runInNewContext({ work }, { timeout: ms * 2 ** (tries - 1) }) as T;
    } catch (error) {
      // The time-out's error comes out of the other realm: it is no instance of our Error.
      if (!isObject(error) || error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      if (computedMs() - before >= ms * MOSTLY || tries === TRIES)
        throw inputError("too-slow", `${what} took longer than ${ms} ms`);
    }
  }
};

/** Of its time, as the operating system counts this thread, less than this was spent on something else. */
const MOSTLY = 0.8;

const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
