import { setTimeout as pause } from "node:timers/promises";
import { AppError, inputError } from "../base/errors.ts";
import { type ThreadId, threadIdFor } from "../base/ids.ts";
import type { ForgeKind } from "../forge/events.ts";
import type { ForgePlace } from "../forge/forge.ts";
import type { Delivery, Store, ThreadRecord } from "../store/store.ts";
import type { Engine } from "../thread/engine.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { isAllowed } from "./allowed.ts";
import { callWorker } from "./call-worker.ts";
import { shownNote } from "./commands/note.ts";
import { STANDS } from "./commands/request.ts";
import { runOn } from "./commands/start.ts";
import type { Asked, IntakeParts } from "./parts.ts";
import type { Started } from "./start-work.ts";

/** What the server's operator wants run: they may do whatever the bot may, and nobody on the forge is asked about them. */
export type OperatorRun = {
  forge: ForgeKind;
  /** `owner/name`, in any case. */
  repository: string;
  /** An issue, or a pull request of the bot's: how the work stands is shown there. */
  issue: number;
  /** What else is to be known; perhaps empty. */
  note: string;
  workflow: Workflow;
  /** What this run is known by, anywhere: asked for again, for as long as deliveries are remembered, the same thread is answered. */
  key: string;
  signal: AbortSignal;
};

/** `url`: where it is shown; null where the forge gave the issue none. */
export type RunOperatorsWork = (run: OperatorRun) => Promise<{ id: ThreadId; url: string | null }>;

export type OperatorRunParts = IntakeParts & {
  /** Throws `forge-unconfigured` (fix-config), and as `Locate`. */
  locate(forge: ForgeKind, repository: string): Promise<ForgePlace>;
};

/** Until another process has started what it is starting on the same subject. */
const PAUSE_MS = 200;
const TRIES = 50;

/**
 * Runs a workflow on an issue of any repository in which the bot works, and that the server lets it work in, as `/run` does there.
 * Throws `repository-not-allowed`, `issue-not-workable`, `work-under-way` (fix-input), and what `startWork`, the
 * repository's configuration and the forge throw.
 */
export const operatorRuns =
  (parts: OperatorRunParts): RunOperatorsWork =>
  async (run) => {
    const { store, emit, now } = parts.engine;
    const known = await store.delivery(run.key);
    const before = known === undefined ? undefined : await begunFor(store, known);
    if (before !== undefined) return shownAt(store, before);
    const asked = await open(parts, run);
    const receipt = known ?? (await receiptOf(parts.engine, run));
    const started = await startInTurn(parts, { asked, run, receipt });
    const isStarted = typeof started !== "string" && started.kind === "started";
    // Whoever asked for the same at the same time may have been quicker.
    const thread = isStarted ? started.thread : await begunFor(store, receipt);
    if (thread === undefined) throw whyNot(started, run);
    const { id, status, reason } = thread;
    emit({ thread: id, at: now(), kind: "status", status, reason });
    if (status === "queued") await callWorker(parts, thread);
    return shownAt(store, thread);
  };

/** That it was asked for, and when first: the thread has its id from that, as others have theirs from a webhook's delivery. */
type Receipt = Pick<Delivery, "id" | "receivedAt">;

const receiptOf = async (
  { store, now }: Pick<Engine, "store" | "now">,
  { key: id, forge }: OperatorRun,
): Promise<Receipt> => {
  const receivedAt = now();
  await store.addDeliveries([{ id, forge, event: "run", body: "", receivedAt, finishedAt: receivedAt }]);
  return (await store.delivery(id)) ?? { id, receivedAt };
};

const begunFor = (store: Pick<Store, "thread">, { id, receivedAt }: Receipt) =>
  store.thread(threadIdFor(id, { at: receivedAt }));

const shownAt = async (store: Pick<Store, "load">, { id, start }: ThreadRecord) => {
  const { source } = await store.load("thread-start", start);
  return { id, url: source?.issue.url ?? null };
};

const open = async (
  parts: OperatorRunParts,
  { forge: kind, repository, key, signal }: OperatorRun,
): Promise<Asked> => {
  const place = await parts.locate(kind, repository);
  if (!isAllowed(parts.config.allow, place.repository))
    throw inputError(
      "repository-not-allowed",
      `${place.repository} is on no list of those that are served`,
      "Add it, or its owner, to `allow` in config.yaml.",
    );
  const forge = await parts.forges.open(place);
  const settings = await parts.readConfig(forge, place);
  return { id: key, receivedAt: parts.engine.now(), signal, place, forge, settings };
};

type Starting = { asked: Asked; run: OperatorRun; receipt: Receipt };

/** Who asks twice at once gets one thread twice: the second waits while the first is started. */
const startInTurn = async (
  parts: OperatorRunParts,
  { asked, run, receipt }: Starting,
): Promise<Started | string> => {
  const { workflow, note } = run;
  const issue = await asked.forge.issue(run.issue);
  const command = await shownNote({ note, options: {} });
  // The very workflow that was designed, whatever the repository calls by its name.
  const findWorkflow: IntakeParts["findWorkflow"] = async (name, forge) =>
    name === workflow.name ? workflow : parts.findWorkflow(name, forge);
  const key = { name: receipt.id, at: receipt.receivedAt };
  const request = { issue, command, sender: null, seen: async () => undefined, workflow: workflow.name, key };
  for (let tries = 1; ; tries++) {
    try {
      return await runOn({ ...parts, findWorkflow }, asked, request);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "subject-busy") || tries === TRIES) throw error;
    }
    await pause(PAUSE_MS, undefined, { signal: asked.signal });
  }
};

const whyNot = (started: Started | string, { repository, issue }: OperatorRun): AppError => {
  if (typeof started === "string") return inputError("issue-not-workable", started);
  const where = `${repository}#${issue}`;
  if (started.kind === "unwanted")
    return inputError(
      "work-under-way",
      `Work that somebody else has asked for on ${where} has just been done.`,
      "Look at it, and ask again if more is to be done.",
    );
  const { id, status } = started.thread;
  return inputError(
    "work-under-way",
    `Work is under way on ${where} already: thread ${id} ${STANDS[status]}.`,
    "`/stop` there ends it; then ask again.",
  );
};
