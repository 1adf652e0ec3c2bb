import { inputError } from "../base/errors.ts";
import { newThreadId, normalizeId, type ThreadId, threadIdFor } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { History, StepRecord, ThreadRecord } from "../store/store.ts";
import { grantTime } from "./commands.ts";
import type { Engine } from "./engine.ts";
import { forkAgents, type OtherAgents } from "./fork-agents.ts";

export type ForkOptions = OtherAgents & {
  /** A step of the thread: its number, from 1 on, or the start of its hash (8 characters or more). */
  at: string;
  /** What a person says to the role that comes next. */
  note: string | null;
  /** Makes the fork the same when it is asked for again. */
  key?: { name: string; at: number };
};

/**
 * A new thread whose start follows a step of the other's chain: it shares the steps up to there, by hash, and goes on with the
 * files as that step left them, and with other agents where they are asked for: queued, with a branch and a pull request of its
 * own. Throws `thread-unknown`, `step-unknown` and `role-unknown` (fix-input).
 */
export const forkThread = async (
  { store, now }: Pick<Engine, "store" | "now">,
  id: ThreadId,
  { at, note, key, ...others }: ForkOptions,
): Promise<ThreadRecord> => {
  const forked = key === undefined ? newThreadId(now()) : threadIdFor(key.name, { at: key.at });
  const existing = await store.thread(forked);
  if (existing !== undefined) return linked(store, { fork: existing, origin: id });
  const origin = await store.thread(id);
  if (origin === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  const history = await store.history(origin.head);
  const { hash } = stepAt(history, { thread: id, at });
  const time = now();
  const { agents, nodes } = await forkAgents(store, history.start.agents, others);
  const start = makeNode("thread-start", {
    ...history.start,
    agents,
    // The fork of a thread that played a role plays none.
    parentThread: null,
    follows: hash,
    createdAt: key?.at ?? time,
  });
  const { workflow, title, subject, installation, repository } = origin;
  const record: ThreadRecord = {
    ...{ workflow, title, subject, installation, repository, note },
    id: forked,
    start: start.hash,
    head: start.hash,
    tip: null,
    begun: [],
    status: "queued",
    reason: null,
    // What the shared steps have cost is not this thread's.
    grantedAt: await grantTime({ store, now }, origin),
    dueAt: 0,
    admitted: false,
    createdAt: time,
    updatedAt: time,
  };
  await store.createThread(record, [...nodes, start]);
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
