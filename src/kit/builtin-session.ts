import { bugError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { eventLines } from "../cli/progress/event-lines.ts";
import { plainStyle } from "../cli/style.ts";
import type { History, ThreadRecord } from "../store/store.ts";
import type { AgentContext } from "../thread/agent-context.ts";
import type { AgentSession, Engine } from "../thread/engine.ts";
import { reachedNodes } from "../thread/reached-nodes.ts";
import { threadReach } from "../thread/refused-hosts.ts";
import { lastOwnStep } from "../thread/session.ts";
import { rootOf } from "../thread/tree.ts";
import type { Role } from "../workflow/workflow.ts";
import { repositoryName } from "../workspace/repository-name.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentWorld } from "./agent-program.ts";

export type SessionParts = {
  engine: Engine;
  record: ThreadRecord;
  history: History;
  role: Role;
  about: AgentContext;
  world: AgentWorld;
  /** Takes the nodes that the step is to refer to. */
  kept: Hash[];
};

/** What the built-in loop may do in the thread whose step it plays: the engine that runs this program does the rest. */
export const builtinSession = ({
  engine,
  record,
  history,
  role,
  about,
  world,
  kept,
}: SessionParts): AgentSession => {
  const calls = new Map<string, string>();
  let workspace: Promise<Workspace> | undefined;
  return {
    role,
    workspace: () => {
      workspace ??= openWorkspace({ engine, record, history, world });
      return workspace;
    },
    checkpoint: () => undefined,
    emit: (event) => {
      if (event.kind === "tool-started") calls.set(event.callId, event.arguments);
      const told = { ...event, role: role.name, thread: record.id, at: Date.now() };
      for (const line of eventLines(told, { calls, under: null, style: plainStyle, width: 0 }))
        world.stderr(`${line}\n`);
    },
    place: () => ({ start: about.start, prev: lastOwnStep({ history, record }), agent: about.agent }),
    wrote: () => {
      throw bugError("the built-in loop wrote a step itself");
    },
    stoppedAt: () => {
      throw bugError("the built-in loop comes to limits by itself");
    },
    keep: async (nodes) => {
      await engine.store.put(nodes);
      kept.push(...nodes.map(({ hash }) => hash));
    },
    nodes: reachedNodes(engine.store, () => [record.start, record.head]),
  };
};

/** The engine that runs this program has opened it already: it is taken up as it is, with what was done in this step before. */
const openWorkspace = async ({
  engine,
  record,
  history,
  world,
}: Pick<SessionParts, "engine" | "record" | "history" | "world">): Promise<Workspace> => {
  const { start, end, steps } = history;
  const root = await rootOf(engine.store, record.id, start);
  const { settings } = start;
  const reach = threadReach(engine.store, { root, settings, confirm: async () => undefined });
  if (start.source === null || start.workspace === null) return engine.workspaces.open(root, null, reach);
  const { base } = await engine.store.load("workspace", start.workspace);
  const isOpen = world.env.UWF_WORKSPACE !== undefined;
  const last = end?.workspace ?? steps.at(-1)?.step.workspace ?? start.workspace;
  const repository = repositoryName(start.source);
  return engine.workspaces.open(root, { repository, base, captured: isOpen ? null : last }, reach);
};
