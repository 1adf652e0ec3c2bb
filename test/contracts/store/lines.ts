import type { ThreadId } from "../../../src/base/ids.ts";
import type { AdmissionLimits, Store, ThreadRecord } from "../../../src/store/store.ts";
import { fixtureTime, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import type { Rig } from "./rig.ts";

/** Limits that hold nothing back. */
export const open: AdmissionLimits = { perRepository: 1_000, perInstallation: 1_000, total: null };

const fixture = threadFixture();

export type WaitingOptions = {
  /** `a/x`: repository x of installation a. */
  line: string;
  /** Milliseconds after the fixtures' time; the older goes first. */
  at?: number;
};

/** A thread that waits in a line. */
export const waiting = async (
  store: Store,
  { line, at = 0 }: WaitingOptions,
  fields: Partial<ThreadRecord> = {},
): Promise<ThreadId> => {
  const [installation = ""] = line.split("/");
  const record = threadRecord(fixture, {
    installation: `github/${installation}`,
    repository: `github/${line}`,
    createdAt: fixtureTime + at,
    updatedAt: fixtureTime + at,
    ...fields,
  });
  await store.createThread(record, fixture.nodes);
  return record.id;
};

/** The rig's store with a living worker that has this many places. */
export const withPlaces = async ({ store }: Rig, places: number): Promise<Store> => {
  await store.beat("worker", { places, ttlMs: 3_600_000 });
  return store;
};

export const claim = async (store: Store, id: ThreadId): Promise<void> => {
  await store.advance(id, {}, { status: "running" });
};

export const end = async (store: Store, id: ThreadId): Promise<void> => {
  await store.advance(id, {}, { status: "completed" });
};
