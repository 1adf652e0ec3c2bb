import { messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { ThreadRecord, ThreadStatus } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { Interruption } from "./interruption.ts";

const WATCH_MS = 200;

export type RunOptions = {
  /** Stops at once; the thread is handed back as it was stored last. */
  signal: AbortSignal;
  /** Stops after the turn that is under way; then hands the thread back. */
  drain?: AbortSignal;
  /** Hands the thread back after so many steps. */
  maxSteps?: number;
  /**
   * For callers who bring the thread back: a passing failure (of the model's provider, of the forge) queues it, due
   * later, until it has not got further for so many milliseconds. Without it the thread fails at once.
   */
  waitOutMs?: number;
  /** For a thread that plays a role in another one. */
  within?: {
    /** The topmost thread: it has the workspace. */
    root: ThreadId;
  };
};

/** What others want of a running thread: watched in the store, so that any process may pause or cancel it. */
export type Control = {
  /** Fires on cancel, on loss of the lease and on the caller's signal. */
  readonly signal: AbortSignal;
  /** Fires when the run has to stop, at once or after the turn that is under way. */
  readonly stopping: AbortSignal;
  /** Why the run has to stop, if it has to. */
  interruption(): Interruption | null;
  /** Throws that interruption. */
  checkpoint(): void;
  /** Takes in a record that was just read or written. */
  saw(record: Pick<ThreadRecord, "status">): void;
  lost(error: unknown): void;
  /** Begins to watch, once the thread is claimed: before, its status says nothing about this run. */
  watch(): void;
  close(): void;
};

export const watchThread = (
  engine: { store: Pick<Engine["store"], "thread">; log: Engine["log"] },
  id: ThreadId,
  { signal, drain }: RunOptions,
): Control => {
  const controller = new AbortController();
  const stopping = new AbortController();
  let found: Interruption | null = null;
  const stop = (interruption: Interruption, { now }: { now: boolean }) => {
    found ??= interruption;
    stopping.abort(found);
    if (now) controller.abort(found);
  };
  const saw = (status: ThreadStatus | undefined) => {
    if (status === "cancelled")
      stop(new Interruption("cancelled", "The thread was cancelled."), { now: true });
    else if (status === undefined) stop(new Interruption("moved", "The thread was removed."), { now: true });
    else if (status !== "running")
      stop(new Interruption("paused", `The thread is ${status}.`), { now: false });
  };
  const onAbort = () => stop(new Interruption("drain", "The worker was stopped."), { now: true });
  const onDrain = () => stop(new Interruption("drain", "The worker is shutting down."), { now: false });
  const lost = (error: unknown) => {
    engine.log.warn({ thread: id, error: messageOf(error) }, "lost the thread's lease");
    stop(new Interruption("lost", "Another process took the thread over."), { now: true });
  };
  let looking = false;
  /** One question at a time: those of all threads would keep the connections of a slow store busy with nothing else. */
  const look = () => {
    if (looking) return;
    looking = true;
    engine.store
      .thread(id)
      .then(
        (record) => saw(record?.status),
        (error: unknown) =>
          engine.log.warn({ thread: id, error: messageOf(error) }, "cannot read the thread's status"),
      )
      .finally(() => {
        looking = false;
      });
  };
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener("abort", onAbort, { once: true });
  drain?.addEventListener("abort", onDrain, { once: true });
  if (signal.aborted) onAbort();
  if (drain?.aborted) onDrain();
  return {
    signal: controller.signal,
    stopping: stopping.signal,
    interruption: () => found,
    checkpoint: () => {
      if (found !== null) throw found;
    },
    saw: ({ status }) => saw(status),
    lost,
    watch: () => {
      timer ??= setInterval(look, WATCH_MS).unref();
    },
    close: () => {
      clearInterval(timer);
      signal.removeEventListener("abort", onAbort);
      drain?.removeEventListener("abort", onDrain);
    },
  };
};
