import { clockOf } from "../base/clock.ts";
import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { processHolder } from "../base/process-holder.ts";
import type { Forges } from "../forge/forge.ts";
import { holdLease } from "../store/hold-lease.ts";
import { type Store, stampOf, type ThreadRecord } from "../store/store.ts";
import type { ThreadEvent } from "../thread/events.ts";
import { isRunnable } from "../thread/state.ts";
import { showThread } from "./show-thread.ts";
import { type Shown, shownThreads } from "./shown-threads.ts";

export type ReporterParts = {
  store: Store;
  forges: Forges;
  log: Log;
  /** Default: this machine's clock, and what is waited for by one that nobody sets. */
  now?: () => number;
  /** Least time between two edits of one comment. */
  paceMs?: number;
  /** The same while a role works on, and nothing but time, tokens and money change. */
  busyPaceMs?: number;
};

/** Keeps each thread's one comment up to date, and what else shows how it stands: see `showThread`. */
export type Reporter = {
  /** Takes in what happens; edits follow at a bounded rate. */
  see(event: ThreadEvent): void;
  /** Plans an edit, though nothing happened in the thread itself. One that fails is made up for by `catchUp`. */
  refresh(id: ThreadId): void;
  /** Writes the comment as the thread stands now. Throws what the forge throws. */
  show(id: ThreadId): Promise<void>;
  /**
   * Shows every thread that stands still and whose last state was not shown: after a crash, or a fault of the forge. Does
   * nothing while another process does it.
   */
  catchUp(): Promise<void>;
  /** Takes in nothing more, drops planned edits and waits for those under way. */
  close(): Promise<void>;
};

const CATCH_UP = 200;
const REFUSED_MS = 15 * 60_000;
const SEEN: ReadonlySet<ThreadEvent["kind"]> = new Set([
  "status",
  "step-started",
  "step-finished",
  "published",
]);

export const liveReporter = (options: ReporterParts): Reporter => {
  const { store, forges, log, paceMs = 3_000, busyPaceMs = 120_000 } = options;
  const { now, elapsed } = clockOf(options.now);
  const threads = shownThreads(elapsed);
  const holder = processHolder();
  const parts = { store, forges, holder, log, now };
  /** What the forge would not take: asked again when the thread's state changes, and from time to time, for rights come back. */
  const refused = new Map<ThreadId, { stamp: string; at: number }>();
  let closed = false;
  let catching: Promise<void> | null = null;
  /** Answers whether more is to come. */
  const write = async (id: ThreadId, state: Shown): Promise<boolean> => {
    for (;;) {
      const record = await store.thread(id);
      if (record === undefined) return false;
      state.lastAt = elapsed();
      await showThread(parts, record, state);
      // Another process may have ended the thread, and shown it before this older state was written.
      const after = await store.thread(id);
      if (after === undefined || isRunnable(after.status)) return after !== undefined;
      if (stampOf(after) === stampOf(record)) {
        await store.setLink(id, "reported", stampOf(record));
        return false;
      }
    }
  };
  /** One edit of a comment at a time. A thread that stands still is forgotten when nothing is planned for it. */
  const show = (id: ThreadId): Promise<void> => {
    const state = threads.of(id);
    state.writes++;
    const mine = state.last.then(async () => {
      const isOver = !(await write(id, state));
      if (isOver && state.last === settled && state.planned === null) threads.forget(id);
    });
    // The caller is told of a failure; the next edit has its turn all the same.
    const settled = mine.catch(() => undefined).then(() => void state.writes--);
    state.last = settled;
    return mine;
  };
  /** The next catch-up shows the thread, if it stands still then. */
  const leaveToCatchUp = (id: ThreadId): Promise<void> =>
    store
      .setLink(id, "reported", "")
      .catch((error: unknown) =>
        log.warn({ thread: id, error: messageOf(error) }, "cannot note that the live comment is behind"),
      );
  const showQuietly = (id: ThreadId): Promise<void> =>
    show(id).catch((error: unknown) => {
      log.warn({ thread: id, error: messageOf(error) }, "cannot update the live comment");
      return leaveToCatchUp(id);
    });
  const showMissed = async (record: ThreadRecord): Promise<void> => {
    const { id } = record;
    const before = refused.get(id);
    if (before?.stamp === stampOf(record) && elapsed() < before.at + REFUSED_MS) return;
    try {
      await show(id);
      refused.delete(id);
    } catch (error) {
      if (error instanceof AppError && error.remedy !== "retry")
        refused.set(id, { stamp: stampOf(record), at: elapsed() });
      log.warn({ thread: id, error: messageOf(error) }, "cannot update the live comment");
    }
  };
  const catchUp = async (): Promise<void> => {
    let mine = true;
    const onLost = () => {
      mine = false;
    };
    const lease = await holdLease(store, { key: "catch-up", holder, onLost, busy: catchingUp });
    try {
      const missed = await store.unreported(CATCH_UP + refused.size);
      const ids = new Set(missed.map(({ id }) => id));
      for (const id of refused.keys()) if (!ids.has(id)) refused.delete(id);
      for (const record of missed) {
        if (closed || !mine) return;
        await showMissed(record);
      }
    } finally {
      await lease.release();
    }
  };

  const plan = (id: ThreadId, pace: number): void => {
    const state = threads.of(id);
    const at = Math.max(elapsed(), state.lastAt + pace);
    if (state.planned !== null && state.planned.at <= at) return;
    if (state.planned !== null) clearTimeout(state.planned.timer);
    const timer = setTimeout(() => {
      state.planned = null;
      void showQuietly(id);
    }, at - elapsed());
    state.planned = { timer, at };
  };

  return {
    see: (event) => {
      if (closed) return;
      // What plays a role in another thread is shown there.
      const shown = event.within?.thread ?? event.thread;
      if (SEEN.has(event.kind)) plan(shown, paceMs);
      else if (event.kind === "model-replied") plan(shown, busyPaceMs);
    },
    refresh: (id) => {
      if (closed) return;
      void leaveToCatchUp(id);
      plan(id, paceMs);
    },
    show,
    catchUp: () => {
      if (closed) return Promise.resolve();
      catching ??= catchUp()
        .catch((error: unknown) => {
          if (!(error instanceof AppError && error.code === CATCHING_UP)) throw error;
        })
        .finally(() => {
          catching = null;
        });
      return catching;
    },
    close: async () => {
      closed = true;
      for (const { planned } of threads.all()) if (planned !== null) clearTimeout(planned.timer);
      await Promise.allSettled([catching, ...[...threads.all()].map(({ last }) => last)]);
    },
  };
};

const CATCHING_UP = "catching-up";
const catchingUp = (): AppError =>
  new AppError("Another process is catching up.", { code: CATCHING_UP, remedy: "retry" });
