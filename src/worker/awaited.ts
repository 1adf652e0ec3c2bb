import type { Awaited } from "../forge/text/thread-view.ts";
import type { Store } from "../store/store.ts";
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
  const question = suspension(last.output);
  if (question !== null) return (await approvalBelow(store, situation)) ?? { kind: "answer", question };
  const approval = { steps: [last.step], approved: isApproved(situation) };
  const { workflow, record } = situation;
  if (!needsApproval(workflow, approval))
    return record.reason !== null && waitsByEdge(workflow, last.step.role)
      ? { kind: "answer", question: record.reason }
      : { kind: "person" };
  return { kind: "approval", plan: last.output, base: await baseOf(store, situation) };
};

/** What the thread that plays the last step's role waits with, where that is an answer to approve. */
const approvalBelow = async (store: Store, { children, history }: Situation): Promise<Awaited | null> => {
  const asked = history.steps.at(-1)?.step.childThreadId;
  const below = children.find(({ record }) => record.id === asked && record.status === "suspended");
  const awaits = below === undefined ? null : await answerOrApproval(store, below);
  return awaits?.kind === "approval" ? awaits : null;
};
