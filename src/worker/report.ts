import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Forge, Forges } from "../forge/forge.ts";
import { liveComment } from "../forge/text/live-comment.ts";
import { threadMarker } from "../forge/text/marker.ts";
import type { Source } from "../store/payload.ts";
import { type Store, type ThreadRecord, threadStatuses } from "../store/store.ts";
import type { ThreadEvent } from "../thread/events.ts";
import { isRunnable } from "../thread/state.ts";
import { readThreadView } from "./thread-view.ts";

export type ReporterParts = {
  store: Store;
  forges: Forges;
  log: Log;
  now: () => number;
  /** Least time between two edits of one comment. */
  paceMs?: number;
};

/** Keeps each thread's one comment up to date. */
export type Reporter = {
  /** Takes in what happens; edits follow at a bounded rate. */
  see(event: ThreadEvent): void;
  /** Writes the comment as the thread stands now. Throws what the forge throws. */
  show(id: ThreadId): Promise<void>;
  /** Shows every thread that stands still and whose last state was not shown: after a crash, or a fault of the forge. */
  catchUp(): Promise<void>;
  /** Drops planned edits and waits for the one under way. */
  close(): Promise<void>;
};

type Shown = {
  running: string | null;
  timer: NodeJS.Timeout | null;
  last: Promise<void>;
  lastAt: number;
  body: string | null;
};

const CATCH_UP = 200;
const SEEN: ReadonlySet<ThreadEvent["kind"]> = new Set([
  "status",
  "step-started",
  "step-finished",
  "published",
]);

export const liveReporter = ({ store, forges, log, now, paceMs = 3_000 }: ReporterParts): Reporter => {
  const threads = new Map<ThreadId, Shown>();
  const stateOf = (id: ThreadId): Shown => {
    const state = threads.get(id) ?? {
      running: null,
      timer: null,
      last: Promise.resolve(),
      lastAt: 0,
      body: null,
    };
    threads.set(id, state);
    return state;
  };

  const write = async (id: ThreadId): Promise<void> => {
    const state = stateOf(id);
    const record = await store.thread(id);
    if (record === undefined) return;
    const { source } = await store.load("thread-start", record.start);
    if (source !== null && source.forge !== "local" && source.issue.number !== null) {
      const view = await readThreadView(store, record, { running: state.running, now: now() });
      const body = liveComment(view);
      state.lastAt = now();
      if (body !== state.body)
        await writeComment({ store, forges }, { id, source, issue: source.issue.number, body });
      state.body = body;
    }
    if (isRunnable(record.status)) return;
    await store.setLink(id, "reported", stamp(record));
    if (state.timer !== null) clearTimeout(state.timer);
    threads.delete(id);
  };
  /** One edit of a comment at a time. */
  const show = (id: ThreadId): Promise<void> => {
    const state = stateOf(id);
    const mine = state.last.then(() => write(id));
    state.last = mine.catch(() => undefined);
    return mine;
  };
  const showQuietly = (id: ThreadId): Promise<void> =>
    show(id).catch((error: unknown) =>
      log.warn({ thread: id, error: messageOf(error) }, "cannot update the live comment"),
    );

  return {
    see: (event) => {
      if (!SEEN.has(event.kind)) return;
      const state = stateOf(event.thread);
      if (event.kind === "step-started") state.running = event.role;
      if (event.kind === "step-finished") state.running = null;
      if (state.timer !== null) return;
      const wait = Math.max(0, state.lastAt + paceMs - now());
      state.timer = setTimeout(() => {
        state.timer = null;
        void showQuietly(event.thread);
      }, wait);
    },
    show,
    catchUp: async () => {
      const still = threadStatuses.filter((status) => !isRunnable(status));
      for (const record of await store.threads({ status: still, limit: CATCH_UP }))
        if ((await store.link(record.id, "reported")) !== stamp(record)) await showQuietly(record.id);
    },
    close: async () => {
      for (const { timer } of threads.values()) if (timer !== null) clearTimeout(timer);
      await Promise.all([...threads.values()].map(({ last }) => last));
    },
  };
};

const stamp = ({ status, updatedAt }: ThreadRecord): string => `${status} ${updatedAt}`;

/** Edits the comment that the thread has, finds it by its marker, or makes it. */
const writeComment = async (
  { store, forges }: Pick<ReporterParts, "store" | "forges">,
  { id, source, issue, body }: { id: ThreadId; source: Source; issue: number; body: string },
): Promise<void> => {
  const forge: Forge = await forges.open(source);
  const linked = await store.link(id, "comment");
  const known =
    linked === undefined ? (await forge.findComment(issue, threadMarker(id)))?.id : Number(linked);
  const kept = known !== undefined && (await edited(forge, { comment: known, body }));
  const comment = kept ? known : (await forge.createComment(issue, body)).id;
  if (linked !== String(comment)) await store.setLink(id, "comment", String(comment));
};

/** False when somebody deleted the comment. */
const edited = async (
  forge: Forge,
  { comment, body }: { comment: number; body: string },
): Promise<boolean> => {
  try {
    await forge.updateComment(comment, body);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "forge-missing") return false;
    throw error;
  }
};
