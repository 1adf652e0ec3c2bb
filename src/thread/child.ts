import { type Hash, type ThreadId, threadIdFor } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Payload } from "../store/payload.ts";
import type { History, ThreadRecord } from "../store/store.ts";
import type { Role } from "../workflow/workflow.ts";
import { lastCaptured } from "./open-workspace.ts";
import type { Session } from "./session.ts";
import { isEnded } from "./state.ts";
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
  const left = await leftChild(session, played.role);
  if (left !== null) return left;
  const id = childId(session, played.role);
  const child = (await store.thread(id)) ?? (await create(session, { id, ...played }));
  await store.setLink(id, "parent", session.record.id);
  return child;
};

/** The same one whenever it is asked for, on whichever machine. */
const childId = (session: Session, { name }: Role): ThreadId => {
  const { record, history } = session;
  return idAt(session, { name, head: record.head, at: history.end?.at ?? begunAt(history) });
};

const idAt = (
  { record }: Pick<Session, "record">,
  { name, head, at }: { name: string; head: Hash; at: number },
): ThreadId => threadIdFor(`child ${record.id} ${head} ${name}`, { at });

/** When the place behind the last step came to be, or the first one. */
const begunAt = ({ steps, start }: History): number => steps.at(-1)?.step.finishedAt ?? start.createdAt;

/** The child that played the role when the thread failed, and was not at its end; null when there is none. */
const leftChild = async (
  { engine, record, history }: Session,
  { name }: Role,
): Promise<ThreadRecord | null> => {
  const { store } = engine;
  for (let end = history.end; end !== null; ) {
    const before = end.after === undefined ? null : await store.load("thread-end", end.after);
    const head = end.after ?? end.prev ?? record.start;
    const child = await store.thread(idAt({ record }, { name, head, at: before?.at ?? begunAt(history) }));
    if (child !== undefined && !isEnded(child.status)) return child;
    end = before;
  }
  return null;
};

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
