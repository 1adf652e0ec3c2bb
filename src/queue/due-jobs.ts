import type { AdmissionLimits, Store, ThreadRecord } from "../store/store.ts";
import type { Job } from "./queue.ts";

/** What a queue asks of the store. */
export type QueueStore = Pick<Store, "pendingDeliveries" | "admit" | "thread" | "beat" | "retire">;

/** Deliveries that should be with a worker, oldest first. */
export const dueDeliveries = async (store: QueueStore, limit: number): Promise<Job[]> =>
  (await store.pendingDeliveries(limit)).map((id) => ({ kind: "delivery", id }));

/** Threads that should be with a worker, among them those whose worker died. The store admits what may be admitted now. */
export const dueThreads = async (store: QueueStore, limits: AdmissionLimits): Promise<Job[]> =>
  (await store.admit(limits)).map((thread) => ({ kind: "thread", thread }));

/** Whether a thread that was due is so still: a job may be older than what the store says now. */
export const isWithWorkers = (thread: ThreadRecord | undefined): boolean =>
  thread !== undefined && thread.installation !== null && (thread.status === "running" || thread.admitted);
