import type { AdmissionLimits, Store, ThreadRecord } from "../store/store.ts";
import { type Job, jobKey } from "./queue.ts";

/** What a queue asks of the store. */
export type QueueStore = Pick<Store, "pendingDeliveries" | "admit" | "thread" | "beat" | "retire">;

/** Where a delivery is: with a worker or on its way to one, left alone for a while, or nowhere yet. */
export type Whereabouts = "taken" | "resting" | "free";

type Due = {
  limit: number;
  /** Of one installation, with workers at once. */
  most: number;
  whereIs: (key: string) => Whereabouts;
  /** When one that was tried comes again, on any clock; undefined: it is new. Default: all are. */
  againAt?: (key: string) => number | undefined;
};
type Found = { job: Job; where: Whereabouts; again: number | undefined };

/**
 * Deliveries that should be with a worker and are not, installation by installation in turn. Of one no more than `most` are with workers
 * at once: one that sends a thousand, or whose forge is slow, is passed by, and costs nothing while it waits.
 */
export const dueDeliveries = async (
  store: QueueStore,
  { limit, most, whereIs, againAt = () => undefined }: Due,
): Promise<Job[]> => {
  const pending = (await store.pendingDeliveries(limit)).map(({ id, installation }) => {
    const job: Job = { kind: "delivery", id };
    const key = jobKey(job);
    return { installation, job, where: whereIs(key), again: againAt(key) };
  });
  const lines = new Map<string, Job[]>();
  for (const [installation, line] of Map.groupBy(pending, (each) => each.installation))
    lines.set(installation, nextOf(line, most));
  return pending.flatMap(({ installation }) => lines.get(installation)?.shift() ?? []);
};

/**
 * New ones first: a thousand that are tried in vain again and again delay no other. One place is for those that come again, in the order
 * in which they are due: however many are new, they do not wait for ever.
 */
const nextOf = (line: readonly Found[], most: number): Job[] => {
  const taken = line.filter(({ where }) => where === "taken");
  const free = line.filter(({ where }) => where === "free");
  const isNew = ({ again }: Found): boolean => again === undefined;
  const fresh = free.filter(isNew);
  const again = free.filter((each) => !isNew(each)).sort((a, b) => (a.again ?? 0) - (b.again ?? 0));
  const own = taken.every(isNew) ? 1 : 0;
  return [...again.slice(0, own), ...fresh, ...again.slice(own)]
    .slice(0, Math.max(most - taken.length, 0))
    .map(({ job }) => job);
};

/** Threads that should be with a worker, among them those whose worker died. The store admits what may be admitted now. */
export const dueThreads = async (store: QueueStore, limits: AdmissionLimits): Promise<Job[]> =>
  (await store.admit(limits)).map((thread) => ({ kind: "thread", thread }));

/** Whether a thread that was due is so still: a job may be older than what the store says now. */
export const isWithWorkers = (thread: ThreadRecord | undefined): boolean =>
  thread !== undefined && thread.installation !== null && (thread.status === "running" || thread.admitted);
