import type { Remedy } from "../base/errors.ts";
import type { ThreadStatus } from "../store/store.ts";

/** What the shell is told. `interrupted` is what shells themselves report for Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, usage: 2, waiting: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** After a failure: what the person has to change is theirs (2), everything else went wrong (1). */
export const exitCodeOfRemedy = (remedy: Remedy): ExitCode =>
  remedy === "fix-input" || remedy === "fix-config" ? exitCodes.usage : exitCodes.failed;

/** After a run: a thread that is still queued was interrupted and handed back. */
export const exitCodeOfThread = (status: ThreadStatus): ExitCode => {
  switch (status) {
    case "completed":
      return exitCodes.done;
    case "failed":
    case "cancelled":
      return exitCodes.failed;
    case "paused":
    case "suspended":
      return exitCodes.waiting;
    case "queued":
    case "running":
      return exitCodes.interrupted;
  }
};
