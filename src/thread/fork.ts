import { inputError } from "../base/errors.ts";
import { newThreadId, normalizeId, type ThreadId, threadIdFor } from "../base/ids.ts";
import type { History, StepRecord, ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";

export type ForkOptions = {
  /** A step of the thread: its number, from 1 on, or the start of its hash (8 characters or more). */
  at: string;
  /** What a person says to the role that comes next. */
  note: string | null;
  /** Makes the fork the same when it is asked for again. */
  key?: { name: string; at: number };
};

/**
 * A new thread that shares the other's chain up to a step, by hash, and goes on from there with the files as that step left
 * them: queued, with a branch and a pull request of its own. Throws `thread-unknown` and `step-unknown` (fix-input).
 */
export const forkThread = async (
  { store, now }: Pick<Engine, "store" | "now">,
  id: ThreadId,
  { at, note, key }: ForkOptions,
): Promise<ThreadRecord> => {
  const forked = key === undefined ? newThreadId(now()) : threadIdFor(key.name, { at: key.at });
  const existing = await store.thread(forked);
  if (existing !== undefined) return linked(store, { fork: existing, origin: id });
  const origin = await store.thread(id);
  if (origin === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  const { hash } = stepAt(await store.history(origin.head), { thread: id, at });
  const { workflow, title, subject, installation, repository, start } = origin;
  const record: ThreadRecord = {
    ...{ workflow, title, subject, installation, repository, start, note },
    id: forked,
    head: hash,
    tip: null,
    begun: [],
    status: "queued",
    reason: null,
    // What the shared steps have cost is not this thread's.
    grantedAt: now(),
    dueAt: 0,
    admitted: false,
    createdAt: now(),
    updatedAt: now(),
  };
  await store.createThread(record, []);
  return linked(store, { fork: record, origin: id });
};

const linked = async (
  store: Engine["store"],
  { fork, origin }: { fork: ThreadRecord; origin: ThreadId },
): Promise<ThreadRecord> => {
  await store.setLink(fork.id, "fork", origin);
  return fork;
};

const stepAt = ({ steps }: History, { thread, at }: { thread: ThreadId; at: string }): StepRecord => {
  const byNumber = /^#?\d{1,4}$/.test(at) ? steps[Number(at.replace("#", "")) - 1] : undefined;
  const prefix = normalizeId(at);
  const found =
    byNumber ?? (prefix.length >= 8 ? steps.find(({ hash }) => hash.startsWith(prefix)) : undefined);
  if (found !== undefined) return found;
  const known = steps.map(({ step }, index) => `${index + 1} (${step.role})`).join(", ");
  throw inputError(
    "step-unknown",
    `Thread ${thread} has no finished step ${JSON.stringify(at.slice(0, 60))}.`,
    known === "" ? "No step has finished yet." : `There are: ${known}.`,
  );
};
