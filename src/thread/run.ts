import type { AdapterBinding, AdapterFn } from "../agents/adapter.ts";
import { AppError, bugError, inputError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { ThreadRecord, ThreadStatus } from "../store/store.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import { appendStep } from "./append-step.ts";
import { type Control, type RunOptions, watchThread } from "./control.ts";
import { createWorkflow, type WorkflowOutcome } from "./create-workflow.ts";
import type { Engine } from "./engine.ts";
import { endThread } from "./finish.ts";
import { Interruption } from "./interruption.ts";
import { holdThread } from "./lease.ts";
import { beginStep, newSession, type Session } from "./session.ts";
import { transition } from "./state.ts";

/**
 * Runs a thread until it ends, waits for a person, or is told to stop, and answers its record. Safe to call
 * again after any crash: it goes on from the last stored turn. Throws `thread-unknown`, `thread-busy`,
 * `thread-not-runnable`; what fails inside the thread ends up in its status and reason instead.
 */
export const runThread = async (engine: Engine, id: ThreadId, options: RunOptions): Promise<ThreadRecord> => {
  const control = watchThread(engine, id, options);
  try {
    const lease = await holdThread(engine.store, { thread: id, holder: engine.holder, onLost: control.lost });
    try {
      const record = await claim(engine, id);
      return await runSteps(await openSession(engine, record, control), options);
    } finally {
      await lease.release();
    }
  } finally {
    control.close();
  }
};

const claim = async (engine: Engine, id: ThreadId): Promise<ThreadRecord> => {
  const record = await engine.store.thread(id);
  if (record === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  if (transition(record.status, "claim") === null)
    throw inputError(
      "thread-not-runnable",
      `Thread ${id} is ${record.status}.`,
      `Let it go on with \`uwf thread resume ${id}\`.`,
    );
  const claimed = await setStatus(engine, record, { status: "running", reason: null });
  if (claimed === undefined) return claim(engine, id);
  return claimed;
};

const setStatus = async (
  engine: Engine,
  record: ThreadRecord,
  { status, reason }: { status: ThreadStatus; reason: string | null },
): Promise<ThreadRecord | undefined> => {
  const moved = await engine.store.advance(
    record.id,
    { head: record.head, status: record.status, holder: engine.holder },
    { status, reason },
  );
  if (moved !== undefined && record.status !== status)
    engine.emit({ thread: record.id, at: engine.now(), kind: "status", status, reason });
  return moved;
};

const openSession = async (engine: Engine, record: ThreadRecord, control: Control): Promise<Session> => {
  const history = await engine.store.history(record.head);
  const workflow = await loadStoredWorkflow(engine.store, history.start.workflow);
  return newSession({ engine, workflow, control, record, history });
};

const runSteps = async (session: Session, options: RunOptions): Promise<ThreadRecord> => {
  let taken = 0;
  try {
    const { history, record } = session;
    const run = createWorkflow(session.workflow, await bind(session))(
      {
        input: history.start.input,
        steps: history.steps.map(({ step, output }) => ({ role: step.role, task: step.task, output })),
        resumed: { note: record.note, completed: history.end?.status === "completed" },
      },
      {
        contextFor: (step) => {
          if (taken === options.maxSteps) throw new Interruption("drain", "The steps asked for are done.");
          return beginStep(session, step);
        },
      },
    );
    for (;;) {
      const next = await run.next();
      if (next.done) return await conclude(session, next.value);
      await appendStep(session, next.value);
      taken++;
      if (session.record.status === "suspended") return session.record;
    }
  } catch (error) {
    return stop(session, session.control.interruption() ?? error);
  }
};

const bind = async (session: Session): Promise<AdapterBinding> => {
  const overrides: Record<string, AdapterFn> = {};
  for (const role of Object.values(session.workflow.roles)) {
    const hash = session.history.start.agents[role.name];
    if (hash === undefined) throw bugError(`no agent is bound to ${role.name}`);
    const agent = await session.engine.store.load("agent", hash);
    overrides[role.name] = session.engine.adapterOf(agent, {
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
    });
  }
  const unbound: AdapterFn = () => () => Promise.reject(bugError("a role has no agent"));
  return { adapter: unbound, overrides };
};

/** The record now: the status may have been changed by somebody else since it was read. */
const fresh = async ({ engine, record }: Session): Promise<ThreadRecord> => {
  const now = await engine.store.thread(record.id);
  if (now === undefined) throw inputError("thread-unknown", `Thread ${record.id} was removed while it ran.`);
  return now;
};

const conclude = async (session: Session, outcome: WorkflowOutcome): Promise<ThreadRecord> => {
  const { engine } = session;
  const record = await fresh(session);
  if (record.status !== "running")
    return stop(session, session.control.interruption() ?? new Interruption("paused", ""));
  const moved =
    outcome.kind === "end"
      ? await endThread(engine, record, { status: "completed", reason: null })
      : await setStatus(engine, record, { status: "suspended", reason: outcome.reason });
  return moved ?? fresh(session);
};

const handBack = async (session: Session): Promise<ThreadRecord> => {
  const record = await fresh(session);
  if (record.status !== "running") return record;
  return (await setStatus(session.engine, record, { status: "queued", reason: null })) ?? fresh(session);
};

/** Leaves the thread in a state that says what happened; partial work is kept in every case. */
const stop = async (session: Session, cause: unknown): Promise<ThreadRecord> => {
  const { engine } = session;
  const record = await fresh(session);
  if (record.status === "cancelled")
    return (
      (await endThread(engine, record, { status: "cancelled", reason: record.reason })) ?? fresh(session)
    );
  if (cause instanceof Interruption && cause.kind === "moved") {
    throw new AppError(cause.message, { code: "thread-moved", remedy: "retry" });
  }
  if (record.status !== "running") return record;
  if (cause instanceof Interruption && cause.kind !== "limit") return handBack(session);
  if (cause instanceof Interruption || (cause instanceof AppError && cause.code === "role-budget-exceeded"))
    return (
      (await setStatus(engine, record, { status: "paused", reason: messageOf(cause) })) ?? fresh(session)
    );
  if (!(cause instanceof AppError))
    engine.log.error({ thread: record.id, err: cause }, "a step failed unexpectedly");
  const role = session.current?.role.name;
  const hint = cause instanceof AppError && cause.hint ? ` ${cause.hint}` : "";
  const reason = `${role === undefined ? "" : `${role}: `}${messageOf(cause)}${hint}`;
  return (await endThread(engine, record, { status: "failed", reason })) ?? fresh(session);
};
