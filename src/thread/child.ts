import { type ThreadId, threadIdFor } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Payload } from "../store/payload.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Role } from "../workflow/workflow.ts";
import { lastCaptured } from "./open-workspace.ts";
import type { Session } from "./session.ts";
import { waitingChild } from "./waiting-child.ts";

type Played = {
  agent: Pick<Payload<"thread-start">, "workflow" | "agents"> & { name: string };
  role: Role;
  task: string;
};

/**
 * The thread that plays the role now: the one that waited for a person, or else that of this place in the chain, made when
 * it is not there. It is in no line: whoever runs the parent runs it.
 */
export const childFor = async (session: Session, played: Played): Promise<ThreadRecord> => {
  const { store } = session.engine;
  const last = session.history.steps.at(-1);
  const waiting =
    last?.step.role === played.role.name
      ? await waitingChild(store, { parent: session.record.id, last })
      : null;
  if (waiting !== null) return waiting;
  const id = childId(session, played.role);
  const child = (await store.thread(id)) ?? (await create(session, { id, ...played }));
  await store.setLink(id, "parent", session.record.id);
  return child;
};

/** The same one whenever it is asked for, on whichever machine. */
const childId = ({ record, history }: Session, { name }: Role): ThreadId =>
  threadIdFor(`child ${record.id} ${record.head} ${name}`, {
    at: history.end?.at ?? history.steps.at(-1)?.step.finishedAt ?? history.start.createdAt,
  });

const create = async (
  session: Session,
  { id, agent, role, task }: Played & { id: ThreadId },
): Promise<ThreadRecord> => {
  const { engine, record, history } = session;
  const { source, settings, trigger, limits, depth } = history.start;
  const start = makeNode("thread-start", {
    workflow: agent.workflow,
    agents: agent.agents,
    input: task,
    ...(trigger === undefined ? {} : { trigger }),
    ...(settings === undefined ? {} : { settings }),
    depth: depth + 1,
    parentThread: record.id,
    source,
    workspace: lastCaptured(session),
    limits,
    createdAt: engine.now(),
  });
  const child: ThreadRecord = {
    id,
    workflow: agent.name,
    title: `${role.name}: ${record.title}`,
    subject: null,
    installation: null,
    repository: null,
    start: start.hash,
    head: start.hash,
    tip: null,
    begun: [],
    status: "queued",
    reason: null,
    note: null,
    grantedAt: record.grantedAt,
    dueAt: 0,
    admitted: false,
    createdAt: engine.now(),
    updatedAt: engine.now(),
  };
  await engine.store.createThread(child, [start]);
  return child;
};
