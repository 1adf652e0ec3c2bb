import { Script } from "node:vm";
import { inputError } from "./errors.ts";
import { isObject } from "./json.ts";

const script = new Script("work()", { filename: "time-limit" });

/**
 * Runs synchronous work that untrusted input steers, and stops it after `ms` milliseconds wherever it is: in a
 * loop, or in a regular expression that backtracks without end. Throws `too-slow`, or what the work throws.
 */
export const withinTime = <T>(what: string, ms: number, work: () => T): T => {
  try {
    return script.runInNewContext({ work }, { timeout: ms }) as T;
  } catch (error) {
    // The time-out's error comes out of the other realm: it is no instance of our Error.
    if (isObject(error) && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw inputError("too-slow", `${what} took longer than ${ms} ms`);
    throw error;
  }
};
