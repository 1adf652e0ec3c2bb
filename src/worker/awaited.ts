import type { Awaited } from "../forge/text/thread-view.ts";
import type { Store } from "../store/store.ts";
import { isOfDesigner } from "../thread/conversation.ts";
import { needsApproval, suspension, waitsByEdge } from "../thread/moderator.ts";
import { baseOf, isApproved, type Situation } from "./situation.ts";

/** What the thread waits for; null when it works or has ended. */
export const awaitedBy = async (store: Store, situation: Situation, now: number): Promise<Awaited | null> => {
  const { record } = situation;
  switch (record.status) {
    case "queued":
      return record.reason !== null && record.dueAt > now
        ? { kind: "retry", at: record.dueAt }
        : { kind: "worker" };
    case "paused":
      return { kind: "person" };
    case "suspended":
      return answerOrApproval(store, situation);
    case "running":
    case "completed":
    case "failed":
    case "cancelled":
      return null;
  }
};

const answerOrApproval = async (store: Store, situation: Situation): Promise<Awaited> => {
  const last = situation.history.steps.at(-1);
  if (last === undefined) return { kind: "person" };
  if (await isOfDesigner(store, last.step)) return { kind: "comment" };
  const question = suspension(last.output);
  const kind = hasFailedBelow(situation) ? "failure" : "answer";
  if (question !== null) return (await approvalBelow(store, situation)) ?? { kind, question };
  const approval = { steps: [last.step], approved: isApproved(situation) };
  const { workflow, record } = situation;
  if (!needsApproval(workflow, approval))
    return record.reason !== null && waitsByEdge(workflow, last.step.role)
      ? { kind, question: record.reason }
      : { kind: "person" };
  return { kind: "approval", plan: last.output, base: await baseOf(store, situation) };
};

/** The thread that played the last step's role. */
const childOfLast = ({ children, history }: Situation): Situation | undefined => {
  const played = history.steps.at(-1)?.step.childThreadId;
  return children.find(({ record }) => record.id === played);
};

const hasFailedBelow = (situation: Situation): boolean => childOfLast(situation)?.record.status === "failed";

/** What the thread that plays the last step's role waits with, where that is an answer to approve. */
const approvalBelow = async (store: Store, situation: Situation): Promise<Awaited | null> => {
  const below = childOfLast(situation);
  const awaits = below?.record.status === "suspended" ? await answerOrApproval(store, below) : null;
  return awaits?.kind === "approval" ? awaits : null;
};
