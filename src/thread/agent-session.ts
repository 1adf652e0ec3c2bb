import { bugError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Role } from "../workflow/workflow.ts";
import type { AgentSession } from "./engine.ts";
import { lastOwnStep, type OpenStep, type Session } from "./session.ts";

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
    currentOf(session).written = step;
  },
  keep: async (nodes) => {
    await session.engine.store.put(nodes);
    currentOf(session).kept.push(...nodes.map(({ hash }) => hash));
  },
});

const currentOf = ({ current }: Session): OpenStep => {
  if (current === null) throw bugError("an agent worked in a step that never began");
  return current;
};
