import type { Hash, ThreadId } from "../base/ids.ts";
import type { Node } from "./node.ts";
import type { NodeType, Payload } from "./payload.ts";
import type { SessionStore } from "./sessions.ts";

export const threadStatuses = [
  "queued",
  "running",
  "paused",
  "suspended",
  "completed",
  "failed",
  "cancelled",
] as const;
export type ThreadStatus = (typeof threadStatuses)[number];

/** The mutable state of one thread. Everything else about it is nodes. */
export type ThreadRecord = {
  id: ThreadId;
  /** The workflow's name and a line for lists: an issue's title. */
  workflow: string;
  title: string;
  /** What it works on, as one key: `github/17/owner/name#12`. The intake keeps one thread per subject under way. */
  subject: string | null;
  /**
   * Whose line it waits in, and for which repository: `github/17`, `github/17/owner/name`. Limits and the fair order go by
   * them. Null: in no line; whoever made the thread runs it.
   */
  installation: string | null;
  repository: string | null;
  /** `thread-start`. */
  start: Hash;
  /** `thread-start`, the last `step`, or `thread-end`. */
  head: Hash;
  /** The last turn of the step that is under way; null between steps. */
  tip: Hash | null;
  /** Ids of the tool calls of the last reply that have begun and have no result yet. */
  begun: readonly string[];
  status: ThreadStatus;
  /** Why it is paused, suspended, failed or cancelled: one line for people. */
  reason: string | null;
  /** What a person said with `resume`, until a step has taken it. */
  note: string | null;
  /** When a person last let it go on (milliseconds since the epoch): rounds and budgets count from here. */
  grantedAt: number;
  /** Not to be brought to a worker before (milliseconds since the epoch). */
  dueAt: number;
  /** True from its admission until a worker has claimed it. See `Store.admit`. */
  admitted: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
};

/** What `advance` compares: each field that is given must be as it says. */
export type Expectation = Partial<Pick<ThreadRecord, "head" | "tip" | "status">> & {
  /** The holder of the thread's lease. */
  holder?: string;
};

/** A change of status takes an admission back, and makes the thread due at once unless `dueAt` says when. */
export type ThreadChange = Partial<
  Pick<ThreadRecord, "head" | "tip" | "begun" | "status" | "reason" | "note" | "grantedAt" | "dueAt">
>;

export type StepRecord = { hash: Hash; step: Payload<"step">; output: Payload<"output">["value"] };

/** A thread's chain, oldest step first. A fork's begins with the steps of the thread that it goes on from. */
export type History = {
  start: Payload<"thread-start">;
  steps: StepRecord[];
  /** How many of the steps, the first ones, are another thread's. */
  shared: number;
  end: Payload<"thread-end"> | null;
};

/** `body` is the event as the intake reads it, as JSON; empty for one that leads to nothing. */
export type Delivery = { id: string; forge: string; event: string; body: string; receivedAt: number };

/** `installation`: whose line it waits in, as a thread's; empty: in that of all others. `finishedAt`: when it was handled. */
export type KeptDelivery = Delivery & { installation: string; finishedAt: number | null };

/** What a thread owns outside the store, found again after a restart; `workspace` is where its directory was opened last. */
export type LinkKind =
  | "comment"
  | "branch"
  | "pull-request"
  | "reported"
  | "workspace"
  | "deaths"
  /** The step whose answer a person has approved. */
  | "approved"
  /** What the bot has answered to the last command that was not obeyed. */
  | "notice"
  /** The comment that calls a person, and the state that it was written for. */
  | "call"
  /** How many of its steps stand in comments of their own, which talk with a person. */
  | "turns"
  /** The comments of a person that it was told, the newest last, each with the state in which it was. */
  | "heard"
  /** The thread that it was forked from. */
  | "fork"
  /** The thread in which it plays a role. */
  | "parent"
  /** What the network's proxy did not let its commands reach. */
  | "refused-hosts"
  /** Its pull request, as a subject: `github/17/owner/name#13`. */
  | "pull-subject"
  /** What it pushed last: `github/17/owner/name@<commit>`. */
  | "commit"
  /** What it has used of the month's money, up to when. */
  | "spent";

/** Threads at once: of one repository, of one installation, and over all workers (null: as many as they have places). */
export type AdmissionLimits = { perRepository: number; perInstallation: number; total: number | null };

/** How much there is of what; times are milliseconds since the epoch, null where nothing waits. */
export type StoreCounts = {
  threads: Readonly<Record<ThreadStatus, number>>;
  /** Of the threads in a line that are due and not admitted, the one that waits longest. */
  waitingSince: number | null;
  pendingDeliveries: number;
  deliveriesSince: number | null;
  /** Living workers, and the threads that they may run at once. */
  workers: number;
  places: number;
};

/** US dollars for each account at once: a person, a repository, an organisation. */
export type Reservation = {
  period: string;
  usd: number;
  accounts: readonly { account: string; limitUsd: number }[];
};

/** What a thread has set aside, or has used, in a period: in each of the accounts. */
export type Reserved = { thread: ThreadId; period: string; usd: number; accounts: readonly string[] };

/** `usedUsd` without what was asked for. */
export type AccountState = { account: string; limitUsd: number; usedUsd: number };

export type Damage = { hash: Hash; problem: string };

export type CollectOptions = {
  /**
   * Nodes that were put, or put again, so recently (milliseconds) are kept, with everything that they lead to. It has to be
   * longer than a writer takes from a `put` to what refers to the nodes: who comes later finds them missing.
   */
  graceMs: number;
  /** Only finds what would be collected. */
  dryRun?: boolean;
  /** Ends it between two batches: what was collected until then is. */
  signal?: AbortSignal;
};

/** Nodes left and nodes deleted, the bytes that the bodies of these took, and how long it took in milliseconds. */
export type Collection = { kept: number; collected: number; bytes: number; ms: number };

/** Content-addressed nodes, and the little state that moves. Several processes may use one store at once. */
export interface Store extends SessionStore {
  /** Stores nodes; those that are there already only get younger. Throws `node-missing` when a ref leads nowhere. */
  put(nodes: readonly Node[]): Promise<void>;
  get(hash: Hash): Promise<Node | undefined>;
  /** The node, of the type asked for. Throws `node-missing` or `node-type`. */
  load<T extends NodeType>(type: T, hash: Hash): Promise<Payload<T>>;
  /** Several at once, in the order asked. Throws as `load`. */
  loadAll<T extends NodeType>(type: T, hashes: readonly Hash[]): Promise<Payload<T>[]>;
  /** Every hash that begins with `prefix` (8 or more characters), at most `limit`. */
  findHashes(prefix: string, limit: number): Promise<Hash[]>;
  /** The turns that lead to `tip`, oldest first, in one query. */
  turns(tip: Hash): Promise<Payload<"turn">[]>;
  /** The chain that leads to `head`, with outputs, in one query. */
  history(head: Hash): Promise<History>;
  /** Everything reachable from `hash`, itself first, each once. */
  walk(hash: Hash): AsyncIterable<Node>;
  /** Recomputes every hash and looks for every ref. */
  verify(): AsyncIterable<Damage>;
  /**
   * Deletes what no thread, no workflow of the registry and no hash in a link leads to, in short batches, while others write;
   * see docs/decisions/garbage-collection.md. One at a time: see `collectGarbage`.
   */
  collect(options: CollectOptions): Promise<Collection>;

  /** Creates a thread with the nodes it needs, in one transaction. It is admitted by `admit` alone. */
  createThread(record: ThreadRecord, nodes: readonly Node[]): Promise<void>;
  thread(id: ThreadId): Promise<ThreadRecord | undefined>;
  findThreads(prefix: string, limit: number): Promise<ThreadId[]>;
  /** By creation time; newest first unless asked otherwise. */
  threads(filter: {
    status?: readonly ThreadStatus[];
    subject?: string;
    installation?: string;
    repository?: string;
    order?: "newest" | "oldest";
    limit: number;
  }): Promise<ThreadRecord[]>;
  /** Of the few thousand newest that stand still, those whose link `reported` says something else than `stampOf`, newest first. */
  unreported(limit: number): Promise<ThreadRecord[]>;
  /**
   * Compare-and-set, in one transaction with `nodes`. Answers the new record, or undefined when the thread was
   * not as expected (somebody else moved it, or it is gone): then nothing was written.
   */
  advance(
    id: ThreadId,
    expected: Expectation,
    change: ThreadChange,
    nodes?: readonly Node[],
  ): Promise<ThreadRecord | undefined>;
  removeThread(id: ThreadId): Promise<void>;

  /**
   * Admits threads that wait in a line and are due, in one transaction: no more than the limits allow and the living
   * workers have places for. An installation with fewer threads under way goes first, then the one served longest ago;
   * within an installation, the oldest thread. Answers every thread that belongs to a worker now: the admitted and the running
   * ones of all lines, oldest first.
   */
  admit(limits: AdmissionLimits): Promise<ThreadId[]>;
  /** Says that the worker lives and how many threads it runs at once; counts for `ttlMs`. */
  beat(worker: string, beat: { places: number; ttlMs: number }): Promise<void>;
  /** The worker takes nothing more. */
  retire(worker: string): Promise<void>;
  counts(): Promise<StoreCounts>;

  /** Takes the lease when it is free, over, or the holder's own; answers whether it did. */
  lease(key: string, holder: string, ttlMs: number): Promise<boolean>;
  release(key: string, holder: string): Promise<void>;
  leaseHolder(key: string): Promise<string | undefined>;

  workflowHash(name: string): Promise<Hash | undefined>;
  registerWorkflow(name: string, hash: Hash): Promise<void>;
  workflows(): Promise<{ name: string; hash: Hash }[]>;

  /**
   * Keeps deliveries, all or none, in one transaction, and answers for each, in the order given, whether it is new: false
   * when its id was there before, or stands earlier in the call. Calls at once may hold the same ids in any order.
   * One with `finishedAt` was handled then.
   */
  addDeliveries(
    deliveries: readonly (Delivery & Partial<Pick<KeptDelivery, "installation" | "finishedAt">>)[],
  ): Promise<boolean[]>;
  /** `finishedAt`: when it was handled; null: not yet. */
  delivery(id: string): Promise<(Delivery & { finishedAt: number | null }) | undefined>;
  /** Those not yet handled, installation by installation in turn: the oldest of each, then the second of each. */
  pendingDeliveries(limit: number): Promise<Pick<KeptDelivery, "id" | "installation">[]>;
  /** How many of an installation's are not yet handled. */
  pendingOf(installation: string): Promise<number>;
  finishDelivery(id: string): Promise<void>;
  /**
   * Counts what somebody asks for by a delivery, once, whoever asks again. Answers whether it is among the `most` of that person
   * within `withinMs`; what is not, or is no delivery here, is not counted.
   */
  hear(delivery: string, of: { person: string; most: number; withinMs: number }): Promise<boolean>;
  /**
   * Forgets deliveries that were handled, and leases that were over, so long ago: among the oldest ones, some at a time; and
   * amounts set aside or used that nobody has changed for three times as long; and conversations with the designer in which
   * nothing was said for so long, with the designs that nothing refers to then.
   */
  forget(olderThanMs: number): Promise<void>;

  /**
   * Sets money aside for a thread in a period (`2026-11`), instead of what was set aside for it in that period before, when every
   * account has room for it; else nothing changes, and the account that has the least room is answered. Amounts are exact
   * to a millionth of a dollar. What a thread has used stays used when the thread is removed.
   */
  reserve(thread: ThreadId, reservation: Reservation): Promise<AccountState | null>;
  /** What the thread has really used of its reservation in the period: the rest is free again. */
  settle(thread: ThreadId, spent: { period: string; usd: number }): Promise<void>;
  /** What all threads have set aside or used, in US dollars. */
  reserved(account: string, period: string): Promise<number>;

  setLink(thread: ThreadId, kind: LinkKind, value: string): Promise<void>;
  link(thread: ThreadId, kind: LinkKind): Promise<string | undefined>;
  links(thread: ThreadId): Promise<Partial<Record<LinkKind, string>>>;
  /** The threads that have this link, newest first. */
  linkedThreads(kind: LinkKind, value: string): Promise<ThreadId[]>;

  /** For copying: every node, each after those that it refers to; every thread; every delivery, handled or not; all money. */
  allNodes(): AsyncIterable<Node>;
  allThreads(): AsyncIterable<ThreadRecord>;
  allDeliveries(): AsyncIterable<KeptDelivery>;
  /** Also of threads that are removed. */
  allReservations(): AsyncIterable<Reserved>;

  /** Asks the database for an answer. Throws when there is none. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The state in which a thread stands still, as its link `reported` names it. */
export const stampOf = ({ status, updatedAt }: Pick<ThreadRecord, "status" | "updatedAt">): string =>
  `${status} ${updatedAt}`;

/** Threads among which `unreported` looks, and deliveries among which `forget` does. */
export const REPORTED_AMONG = 5_000;
export const FORGOTTEN_AMONG = 1_000;

/** The lease that the process which runs a thread holds. */
export const threadLease = (id: ThreadId): string => `thread/${id}`;
