import type { ThreadId } from "../base/ids.ts";

/** What a process knows of one thread's comment. */
export type Shown = {
  /** The next edit; times are `elapsed` of a `Clock`. */
  planned: { timer: NodeJS.Timeout; at: number } | null;
  last: Promise<void>;
  /** Edits that have begun or wait for others. */
  writes: number;
  lastAt: number;
  body: string | null;
  /** What the check of each commit says. */
  checks: Map<string, string>;
  usedAt: number;
};

/** A thread of which nothing was heard for so long has gone on elsewhere, or takes its time. */
const IDLE_MS = 60 * 60_000;

export type ShownThreads = {
  readonly size: number;
  of(id: ThreadId): Shown;
  forget(id: ThreadId): void;
  all(): Iterable<Shown>;
};

/**
 * The threads of which this process has heard. Those that another process goes on with would stay for ever: nobody says
 * here that they have ended.
 */
export const shownThreads = (elapsed: () => number): ShownThreads => {
  const threads = new Map<ThreadId, Shown>();
  const forgetIdle = () => {
    for (const [id, { planned, writes, usedAt }] of threads)
      if (planned === null && writes === 0 && usedAt + IDLE_MS <= elapsed()) threads.delete(id);
  };
  const add = (id: ThreadId): Shown => {
    forgetIdle();
    const shown: Shown = {
      planned: null,
      last: Promise.resolve(),
      writes: 0,
      lastAt: Number.NEGATIVE_INFINITY,
      body: null,
      checks: new Map(),
      usedAt: elapsed(),
    };
    threads.set(id, shown);
    return shown;
  };
  return {
    get size() {
      return threads.size;
    },
    of: (id) => {
      const shown = threads.get(id) ?? add(id);
      shown.usedAt = elapsed();
      return shown;
    },
    forget: (id) => void threads.delete(id),
    all: () => threads.values(),
  };
};
