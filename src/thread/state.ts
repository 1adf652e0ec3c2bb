import type { ThreadStatus } from "../store/store.ts";

/** What may be done to a thread. */
export const threadCommands = [
  "claim",
  "hand-back",
  "pause",
  "suspend",
  "resume",
  "complete",
  "fail",
  "cancel",
] as const;
export type ThreadCommand = (typeof threadCommands)[number];

const transitions: Readonly<Record<ThreadStatus, Partial<Record<ThreadCommand, ThreadStatus>>>> = {
  queued: { claim: "running", pause: "paused", cancel: "cancelled", fail: "failed" },
  running: {
    // A worker died: the next one claims what still says running.
    claim: "running",
    "hand-back": "queued",
    pause: "paused",
    suspend: "suspended",
    complete: "completed",
    fail: "failed",
    cancel: "cancelled",
  },
  paused: { resume: "queued", cancel: "cancelled" },
  suspended: { resume: "queued", cancel: "cancelled" },
  completed: { resume: "queued" },
  failed: { resume: "queued" },
  cancelled: { resume: "queued" },
};

/** The status after `command`, or null when a thread in this status does not take it. */
export const transition = (status: ThreadStatus, command: ThreadCommand): ThreadStatus | null =>
  transitions[status][command] ?? null;

/** True when nothing more happens unless a person resumes the thread. */
export const isEnded = (status: ThreadStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

/** True when a worker has something to do. */
export const isRunnable = (status: ThreadStatus): boolean => status === "queued" || status === "running";
