import type { AdapterBinding, AdapterFn } from "../agents/adapter.ts";
import { bugError, inputError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { inLogScope } from "../base/log-scope.ts";
import { keepYoung } from "../store/keep-young.ts";
import type { ThreadRecord } from "../store/store.ts";
import { agentSession } from "./agent-session.ts";
import { appendStep } from "./append-step.ts";
import { beginStep } from "./begin-step.ts";
import { type RunOptions, watchThread } from "./control.ts";
import { createWorkflow, type WorkflowOutcome } from "./create-workflow.ts";
import { countDeath } from "./deaths.ts";
import type { Engine } from "./engine.ts";
import { type ChainEnd, endThread } from "./finish.ts";
import { withInstructions } from "./instructions.ts";
import { Interruption } from "./interruption.ts";
import { holdThread } from "./lease.ts";
import { openSession } from "./open-session.ts";
import { limitReached } from "./pause-at-limit.ts";
import { pinnedIn } from "./pinned.ts";
import { lastOwnStep, type Session } from "./session.ts";
import { freshRecord, requireLease, setStatus } from "./set-status.ts";
import { transition } from "./state.ts";
import { stillChildren } from "./still-children.ts";
import { stopThread } from "./stop.ts";
import { workflowAgent } from "./workflow-agent.ts";

/**
 * Runs a thread until it ends, waits for a person, or is told to stop, and answers its record. Safe to call
 * again after any crash: it goes on from the last stored turn. Throws `thread-unknown`, `thread-busy`, `thread-moved`,
 * `thread-not-runnable`, and what the store throws; what else fails inside the thread ends up in its status and reason
 * instead.
 */
export const runThread = (engine: Engine, id: ThreadId, options: RunOptions): Promise<ThreadRecord> =>
  inLogScope({ thread: id, ...(options.within && { root: options.within.root }) }, () =>
    holdAndRun(engine, id, options),
  );

const holdAndRun = async (engine: Engine, id: ThreadId, options: RunOptions): Promise<ThreadRecord> => {
  const control = watchThread(engine, id, options);
  try {
    const lease = await holdThread(engine.store, { thread: id, holder: engine.holder, onLost: control.lost });
    const held = { ...engine, holder: lease.holder };
    try {
      const record = await claim(held, id, options);
      if (record.status !== "running") return record;
      control.watch();
      return await runSteps({ engine: held, record, control, lease }, options);
    } finally {
      await lease.release();
    }
  } finally {
    control.close();
  }
};

/** Most threads that are claimed are queued: they are not read before. */
const claim = async (engine: Engine, id: ThreadId, options: RunOptions): Promise<ThreadRecord> => {
  const running = { status: "running", reason: null } as const;
  const queued = await setStatus(engine, { id, status: "queued" }, running);
  if (queued !== undefined) return queued;
  const record = await engine.store.thread(id);
  if (record === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  if (transition(record.status, "claim") === null)
    throw inputError(
      "thread-not-runnable",
      `Thread ${id} is ${record.status}.`,
      `Let it go on with \`uwf thread resume ${id}\`.`,
    );
  const { waitOutMs } = options;
  const isCutOff = record.status === "running" && waitOutMs !== undefined;
  const hopeless = isCutOff ? await countDeath(engine, record, { waitOutMs }) : null;
  // Whatever more would be done for its end may be what its workers do not survive.
  const claimed = await setStatus(
    engine,
    record,
    hopeless === null ? running : { status: "failed", reason: hopeless },
  );
  if (claimed !== undefined && hopeless !== null) await stillChildren(engine, claimed);
  if (claimed !== undefined) return claimed;
  await requireLease(engine, id);
  return claim(engine, id, options);
};

/** Asked only where the answer matters. */
const isApproved = async ({ engine, workflow, history, record }: Session): Promise<boolean> => {
  const last = history.steps.at(-1);
  if (last === undefined || workflow.roles[last.step.role]?.approval === undefined) return false;
  return (await engine.store.link(record.id, "approved")) === last.hash;
};

type Claimed = Pick<Session, "engine" | "record" | "control" | "lease">;

const runSteps = async (claimed: Claimed, options: RunOptions): Promise<ThreadRecord> => {
  const { engine, record, control } = claimed;
  let session: Session | undefined;
  let taken = 0;
  const young = keepYoung(engine.store, {
    hashes: () => session?.current?.kept ?? [],
    failed: (error) =>
      engine.log.warn({ thread: record.id, error: messageOf(error) }, "cannot renew what a step keeps"),
  });
  try {
    session = await openSession(claimed, options);
    const opened = session;
    const { history } = opened;
    const run = createWorkflow(opened.workflow, await bind(opened))(
      {
        input: history.start.input,
        steps: history.steps.map(({ step, output }) => ({ role: step.role, task: step.task, output })),
        resumed: { note: record.note, completed: history.end?.status === "completed" },
        trigger: history.start.trigger ?? "",
        approved: await isApproved(opened),
      },
      {
        contextFor: (step) => {
          if (taken === options.maxSteps) throw new Interruption("drain", "The steps asked for are done.");
          return beginStep(opened, step);
        },
      },
    );
    for (;;) {
      const next = await run.next();
      if (next.done) return await conclude(opened, next.value);
      const step = next.value;
      await inStep(opened, step.role, () => appendStep(opened, step));
      taken++;
      if (opened.record.status === "suspended" || opened.record.status === "paused") return opened.record;
    }
  } catch (error) {
    const role = session?.current?.role.name ?? null;
    const { waitOutMs } = options;
    const limit = control.interruption() === null ? await limitReached(session, error) : null;
    return await stopThread(
      { engine, id: record.id, role, waitOutMs },
      control.interruption() ?? limit ?? error,
    );
  } finally {
    await young.close();
  }
};

const bind = async (session: Session): Promise<AdapterBinding> => {
  const overrides: Record<string, AdapterFn> = {};
  for (const role of Object.values(session.workflow.roles)) {
    const hash = session.history.start.agents[role.name];
    if (hash === undefined) throw bugError(`no agent is bound to ${role.name}`);
    const agent = await pinnedIn(session.engine.store).agent(hash);
    const adapter =
      agent.adapter === "workflow"
        ? workflowAgent(session, { agent, role, runThread })
        : session.engine.adapterOf(agent, agentSession(session, { role, agent: hash }));
    overrides[role.name] = (prompt, schema) => {
      const play = adapter(withInstructions(prompt, session.history.start.settings), schema);
      return (context) => inStep(session, role.name, () => play(context));
    };
  }
  const unbound: AdapterFn = () => () => Promise.reject(bugError("a role has no agent"));
  return { adapter: unbound, overrides };
};

/** What is logged while an agent works, and while its step is captured and published, names the step. */
const inStep = <T>({ history }: Session, role: string, work: () => Promise<T>): Promise<T> =>
  inLogScope({ step: history.steps.length + 1, role }, work);

/**
 * Nobody else moves the chain, and the status is compared when it changes: it is read again when it has become another.
 * Throws an Interruption when a person stopped the thread while its last step was appended.
 */
const conclude = async (session: Session, outcome: WorkflowOutcome): Promise<ThreadRecord> => {
  const { engine, control, record } = session;
  if (record.status !== "running")
    throw control.interruption() ?? new Interruption("paused", `The thread is ${record.status}.`);
  const moved =
    outcome.kind === "end"
      ? await endThread(engine, record, { status: "completed", reason: null, chain: chainEnd(session) })
      : await setStatus(engine, record, { status: "suspended", reason: outcome.reason });
  if (moved !== undefined) return moved;
  await requireLease(engine, record.id);
  session.record = await freshRecord(engine, record.id);
  return conclude(session, outcome);
};

const chainEnd = (session: Session): ChainEnd => {
  const { start, end } = session.history;
  return {
    step: lastOwnStep(session),
    kept: end ?? { turns: null, workspace: null },
    end: end === null ? null : session.record.head,
    begun: start.workspace,
    root: session.root,
  };
};
