import type { Hash } from "../base/ids.ts";
import type { Role } from "../workflow/workflow.ts";
import type { AgentSession } from "./engine.ts";
import { reachedNodes } from "./reached-nodes.ts";
import { lastOwnStep, openStepOf, type Session } from "./session.ts";

/** What the agent of a role may do in its thread, besides its journal. */
export const agentSession = (
  session: Session,
  { role, agent }: { role: Role; agent: Hash },
): AgentSession => ({
  role,
  workspace: session.workspace,
  checkpoint: session.control.checkpoint,
  emit: (event) =>
    session.engine.emit({
      ...event,
      role: role.name,
      thread: session.record.id,
      at: session.engine.now(),
    }),
  place: () => ({ start: session.record.start, prev: lastOwnStep(session), agent }),
  wrote: (step) => {
    openStepOf(session).written = step;
  },
  stoppedAt: (limit) => {
    openStepOf(session).stoppedAt = limit;
  },
  keep: async (nodes) => {
    await session.engine.store.put(nodes);
    openStepOf(session).kept.push(...nodes.map(({ hash }) => hash));
  },
  nodes: reachedNodes(session.engine.store, () => rootsOf(session)),
});

/** What the thread holds on to: its chain, and the step under way. */
const rootsOf = ({ record, current }: Session): Hash[] => {
  const tip = current?.journal.tip() ?? null;
  return [record.start, record.head, ...(tip === null ? [] : [tip]), ...(current?.kept ?? [])];
};
