import { expect } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { type Job, type JobWorker, jobKey, type Queue } from "../../../src/queue/queue.ts";
import type { AdmissionLimits, Store, ThreadRecord, ThreadStatus } from "../../../src/store/store.ts";
import { queueHandler, type Work } from "../../fixtures/queue-handler.ts";
import { waiting } from "../store/lines.ts";

export type ContractQueue = {
  store: Store;
  /** A queue over the same store, as another process would have. */
  open(limits: AdmissionLimits): Queue;
  /** What `test/fixtures/queue-worker.ts` needs to open one. */
  workerArguments: readonly string[];
  dispose(): Promise<void>;
};

export type Rig = ContractQueue & {
  /** A queue of its own, closed after the test. */
  queue(limits?: Partial<AdmissionLimits>): Queue;
  /** Works on jobs until the test is over. */
  work(queue: Queue, work: Work, options?: { concurrency: number }): JobWorker;
};

export const unlimited: AdmissionLimits = { perRepository: 1_000, perInstallation: 1_000, total: null };

/** Nothing here is about time: a busy machine may take this long. */
export const soon = { timeout: 40_000, interval: 25 };

export const rigOver = (contract: ContractQueue): Rig => {
  const queues: Queue[] = [];
  const workers: JobWorker[] = [];
  return {
    ...contract,
    queue: (limits = {}) => {
      const queue = contract.open({ ...unlimited, ...limits });
      queues.push(queue);
      return queue;
    },
    work: (queue, work, options = { concurrency: 1 }) => {
      const worker = queue.work(queueHandler(contract.store, work), options);
      workers.push(worker);
      return worker;
    },
    dispose: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(queues.map((queue) => queue.close()));
      await contract.dispose();
    },
  };
};

let line = 0;

/** A thread that waits in a line; each in a repository of its own unless told otherwise. */
export const newThread = async (
  { store }: Rig,
  options: { line?: string; at?: number } & Partial<Pick<ThreadRecord, "dueAt">> = {},
): Promise<Job & { kind: "thread" }> => {
  const { line: own = `acme/r${++line}`, at = line, ...fields } = options;
  return { kind: "thread", thread: await waiting(store, { line: own, at }, fields) };
};

/** Each of an installation of its own unless told otherwise. */
export const newDelivery = async ({ store }: Rig, id: string, installation = id): Promise<Job> => {
  const body = '{"title":"a secret plan"}';
  await store.addDeliveries([
    { id, forge: "github", event: "issues", body, installation, receivedAt: Date.now() },
  ]);
  return { kind: "delivery", id };
};

/** Work that notes what began, and ends at once. */
export const noting = (begun: string[]): Work => {
  return async (job) => {
    begun.push(jobKey(job));
    return undefined;
  };
};

/** Work that notes what began, and ends when it is let go. */
export const holding = () => {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const work: Work = async (job) => {
    begun.push(jobKey(job));
    await gate.promise;
    return undefined;
  };
  return { begun, work, letGo: () => gate.resolve() };
};

export const statusOf = async ({ store }: Rig, thread: ThreadId): Promise<ThreadStatus | undefined> =>
  (await store.thread(thread))?.status;

/** Waits until a thread made now has run to its end: what should not happen has had its chance by then. */
export const untilAnotherRan = async (rig: Rig, queue: Queue): Promise<void> => {
  const job = await newThread(rig);
  await queue.enqueue(job);
  await expect.poll(() => statusOf(rig, job.thread), soon).toBe("completed");
};
