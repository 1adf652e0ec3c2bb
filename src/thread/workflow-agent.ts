import type { AdapterFn } from "../agents/adapter.ts";
import { AppError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Agent } from "../store/agent-payload.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Role } from "../workflow/workflow.ts";
import { childFor } from "./child.ts";
import { type ChildResult, roleOutput } from "./child-output.ts";
import { type ChildTurn, childTurn, childTurns, tellChild } from "./child-turn.ts";
import type { RunOptions } from "./control.ts";
import type { Engine } from "./engine.ts";
import { openStepOf, type Session } from "./session.ts";
import { isRunnable } from "./state.ts";

type Playing = {
  agent: Extract<Agent, { adapter: "workflow" }>;
  role: Role;
  runThread(engine: Engine, id: ThreadRecord["id"], options: RunOptions): Promise<ThreadRecord>;
};

/**
 * Another workflow plays the role, as a thread of its own: it is given the task alone, works in the same workspace, spends the
 * same budget, and stops when this thread has to. How it ended is the role's output, also when it failed; where it waits
 * for a person, this thread does. Throws the interruption of this thread, `child-paused` (fix-input) when the child
 * has come to a limit, and `child-waits` (retry) when the child waits for a fault to pass.
 */
export const workflowAgent =
  (session: Session, playing: Playing): AdapterFn =>
  (_prompt, schema) =>
  async ({ journal, task }) => {
    const { engine } = session;
    const { agent, role } = playing;
    const answer = (result: ChildResult) => roleOutput(result, { role, schema });
    if (agent.workflow === null) return answer(tooDeep(agent.name, engine.maxDepth));
    if (journal.turns.length === 0)
      await journal.append({ kind: "message", text: task.toWellFormed(), at: engine.now() });
    const stopped =
      stoppedBefore(session) ?? (await play(session, playing, { workflow: agent.workflow, task }));
    if (stopped.status === "paused")
      throw new AppError(stopped.reason ?? `The workflow ${agent.name} paused.`, {
        code: "child-paused",
        remedy: "fix-input",
      });
    return answer(await resultOf(engine, stopped));
  };

const tooDeep = (workflow: string, maxDepth: number): ChildResult => ({
  workflow,
  status: "failed",
  reason: `The workflow ${workflow} was not begun: workflows may lie ${maxDepth} deep in each other (limits.maxDepth).`,
  output: null,
});

type StoppedTurn = ChildTurn & { status: ChildResult["status"] };

const hasStopped = (turn: ChildTurn | undefined): turn is StoppedTurn =>
  turn !== undefined && turn.status !== "queued";

/** Where the child stood when it stopped in this step; null when it has to run, for the first time or again. */
const stoppedBefore = (session: Session): StoppedTurn | null => {
  const last = childTurns(openStepOf(session).journal.turns).at(-1);
  if (!hasStopped(last)) return null;
  const waits = last.status === "paused" || last.status === "suspended";
  return waits && last.at <= session.record.grantedAt ? null : last;
};

/** Runs the child until it stops, and notes in this thread's turns how it stands then. */
const play = async (
  session: Session,
  { agent, role, runThread }: Playing,
  { workflow, task }: { workflow: Hash; task: string },
): Promise<StoppedTurn> => {
  const { engine, control } = session;
  const since = engine.now();
  const { id } = await childFor(session, { agent: { ...agent, workflow }, role, task });
  const child = await tellChild(engine.store, { id, parent: session.record });
  // It may have stopped before whoever ran it could note that here.
  const record = isRunnable(child.status)
    ? await runThread(withinParent(session, role), id, {
        signal: control.signal,
        drain: control.stopping,
        within: { root: session.root },
        ...(session.waitOutMs === undefined ? {} : { waitOutMs: session.waitOutMs }),
      })
    : child;
  const turn = await childTurn(session, { record, workflow: agent.name, since });
  await openStepOf(session).journal.append(turn);
  control.checkpoint();
  if (!hasStopped(turn))
    throw new AppError(record.reason ?? `The workflow ${agent.name} waits.`, {
      code: "child-waits",
      remedy: "retry",
      retryAfterMs: Math.max(0, record.dueAt - engine.now()),
    });
  return turn;
};

/** What happens in the child is told with the role that it plays. */
const withinParent = (session: Session, { name }: Role): Engine => ({
  ...session.engine,
  emit: (event) =>
    session.engine.emit({
      ...event,
      within: { thread: session.root, roles: [name, ...(event.within?.roles ?? [])] },
    }),
});

const resultOf = async ({ store }: Engine, turn: StoppedTurn): Promise<ChildResult> => {
  const { steps } = await store.history(turn.childHash);
  const { status, reason } = turn;
  return { workflow: turn.childWorkflow, status, reason, output: steps.at(-1)?.output ?? null };
};
