import type { Hash, ThreadId } from "../../base/ids.ts";
import { isDead } from "../../base/process-holder.ts";
import { addUsage } from "../../llm/usage.ts";
import type { Payload, Usage } from "../../store/payload.ts";
import { type History, type ThreadRecord, threadLease } from "../../store/store.ts";
import { stepsSpent, turnsSpent } from "../../thread/spending.ts";
import { unnotedBelow } from "../../thread/spent-below.ts";
import { roleOrder } from "../../workflow/role-order.ts";
import type { ReadStore } from "../store-reader.ts";
import { publishedOf } from "./published.ts";
import { threadJson } from "./thread-text.ts";

/** All that is told about a thread. */
export type Situation = {
  record: ThreadRecord;
  history: History;
  /** In the order of the workflow's table. */
  roles: readonly string[];
  workflow: Hash;
  /** The process that runs it, if one does that is not known to have ended. */
  holder: string | null;
  /** The thread that it was forked from. */
  forkOf: string | null;
  /** The branch of a plain repository with what the roles have changed, where none of the thread's own publishes. */
  left: string | null;
  /** The thread, this one or one that plays a role in it, whose last role's answer waits for a person's approval; null: none. */
  toApprove: ThreadId | null;
  /** Turns of the step that is under way or was cut off. */
  open: readonly Payload<"turn">[];
  /** What the threads that play its roles have used and it has not noted yet. */
  below: Usage;
};

export const readSituation = async (store: ReadStore, record: ThreadRecord): Promise<Situation> => {
  const history = await store.history(record.head);
  const workflow = await store.load("workflow", history.start.workflow);
  const tip = record.tip ?? history.end?.turns ?? null;
  const open = tip === null ? [] : await store.turns(tip);
  const holder = await store.leaseHolder(threadLease(record.id));
  return {
    record,
    history,
    roles: roleOrder(workflow, { trigger: history.start.trigger ?? "" }),
    workflow: history.start.workflow,
    open,
    below: await unnotedBelow(store, { id: record.id, chain: { history, turns: open } }),
    forkOf: (await store.link(record.id, "fork")) ?? null,
    left: await leftOn(store, { record, history }),
    toApprove: await waitsForApproval(store, record),
    holder: holder === undefined || isDead(holder) ? null : holder,
  };
};

const leftOn = async (
  store: ReadStore,
  { record, history }: Pick<Situation, "record" | "history">,
): Promise<string | null> => {
  if (history.start.source?.forge !== "local" || publishedOf(history) !== null) return null;
  return (await store.link(record.id, "branch")) ?? null;
};

/** Few threads can; what it takes to know is not loaded for the others. */
const waitsForApproval = async (store: ReadStore, record: ThreadRecord): Promise<ThreadId | null> => {
  if (record.status !== "suspended") return null;
  const { approvalIn } = await import("../../thread/approval.ts");
  return (await approvalIn(store, record))?.thread ?? null;
};

/** What the thread has cost so far, the open step included, and those that play its roles; milliseconds of its steps. */
export const situationUsage = ({ history, open, below }: Pick<Situation, "history" | "open" | "below">) => {
  const now = turnsSpent(open, 0);
  const own = history.steps.slice(history.shared);
  const ms = own.reduce((sum, { step }) => sum + step.finishedAt - step.startedAt, now.ms);
  return { usage: addUsage(addUsage(stepsSpent(history), now.usage), below), ms };
};

/** What programs read about a thread. */
export const situationJson = (situation: Situation) => {
  const { record, history, roles, workflow, open, forkOf, left, toApprove } = situation;
  const { usage, ms } = situationUsage(situation);
  return {
    ...threadJson(record),
    workflowHash: workflow,
    input: history.start.input,
    source: history.start.source,
    limits: history.start.limits,
    note: record.note,
    roles: roles.map((role) => ({ role, steps: visits(history, role) })),
    steps: history.steps.length,
    openTurns: open.length,
    toApprove: toApprove !== null,
    forkOf,
    published: publishedOf(history),
    branch: left ?? publishedOf(history)?.branch ?? null,
    usage,
    ms,
  };
};

/** How often a role has finished a step. */
export const visits = (history: History, role: string): number =>
  history.steps.filter(({ step }) => step.role === role).length;
