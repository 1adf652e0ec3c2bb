import { isDeepStrictEqual } from "node:util";
import type { NewTurn } from "../agents/adapter.ts";
import { bugError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { addUsage } from "../llm/usage.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Usage } from "../store/payload.ts";
import type { ThreadChange, ThreadRecord } from "../store/store.ts";
import { Interruption } from "./interruption.ts";
import { type PastStep, suspension } from "./moderator.ts";
import type { Published } from "./publisher.ts";
import { lastOwnStep, type OpenStep, type Session } from "./session.ts";
import { showPartial } from "./show-partial.ts";
import { turnsSpent } from "./spending.ts";

/** Captures the files, publishes when the role says so, and appends the step: nodes and head in one transaction. */
export const appendStep = async (session: Session, past: PastStep): Promise<void> => {
  const { current } = session;
  if (current === null) throw bugError("a step was appended that never began");
  const workspace = await captured(session);
  const output = past.output as Json;
  const reason = suspension(output);
  const published = reason === null ? await publish(session, { current, output, workspace }) : null;
  const { nodes, hash } = stepNodes(session, { current, past, workspace, published });
  const tip = current.journal.tip();
  const stop = reason === null ? null : await stopOf(session, { reason, current, workspace });
  const moved = await moveHead(session, { tip, nodes, hash, stop });
  const step = nodes.find((node) => node.type === "step");
  if (step?.type === "step")
    session.history = {
      ...session.history,
      steps: [...session.history.steps, { hash, step: step.payload, output }],
      end: null,
    };
  session.record = moved;
  session.control.saw(moved);
  session.current = null;
  report(session, { past, hash, output, current, stop });
};

/** The files as the step left them; a thread without a repository has none to keep. */
const captured = async (session: Session): Promise<Hash | null> => {
  if (session.history.start.workspace === null) return null;
  await session.workspace();
  return session.engine.workspaces.capture(session.root);
};

const publish = async (
  { engine, record, root, history, control, lease }: Session,
  { current, output, workspace }: { current: OpenStep; output: Json; workspace: Hash | null },
): Promise<Published | null> => {
  if (current.role.publish === null || workspace === null) return null;
  const agent = history.start.agents[current.role.name];
  if (agent === undefined) throw bugError(`thread ${record.id} has no agent for ${current.role.name}`);
  // What is published cannot be taken back: a person's word is looked for first.
  const now = await engine.store.thread(record.id);
  if (now !== undefined) control.saw(now);
  control.checkpoint();
  const { journal, role } = current;
  const published = await engine.publisher.publish({
    thread: root,
    kind: current.role.publish,
    history,
    step: { role: role.name, agent, turns: journal.tip(), usage: usageOf(current) },
    output,
    workspace,
    signal: control.signal,
    confirm: async () => {
      await lease.ensure();
      control.signal.throwIfAborted();
    },
  });
  engine.emit({ thread: record.id, at: engine.now(), kind: "published", published });
  return published;
};

const stepNodes = (
  session: Session,
  parts: { current: OpenStep; past: PastStep; workspace: Hash | null; published: Published | null },
): { nodes: Node[]; hash: Hash } => {
  const { engine, record, history } = session;
  const { current, past, workspace, published } = parts;
  const agent = history.start.agents[past.role];
  if (agent === undefined) throw bugError(`thread ${record.id} has no agent for ${past.role}`);
  const output = makeNode("output", { value: past.output as Json });
  const { written, kept } = current;
  const refs = [...(history.end === null ? [] : [record.head]), ...kept];
  const isComplete = workspace === null && published === null && refs.length === 0;
  const usage = usageOf(current);
  if (
    written !== null &&
    isComplete &&
    written.payload.output === output.hash &&
    isDeepStrictEqual(written.payload.usage, usage)
  )
    return { nodes: [written], hash: written.hash };
  const child = lastChild(current.journal.turns);
  const step = makeNode("step", {
    start: record.start,
    prev: lastOwnStep(session),
    role: past.role,
    agent,
    task: past.task,
    output: output.hash,
    turns: written?.payload.turns ?? current.journal.tip(),
    workspace,
    refs: [...refs, ...(written === null ? [] : [written.hash])],
    ...child,
    published,
    usage,
    startedAt: current.startedAt,
    // Never before its turns, which another machine may have dated.
    finishedAt: Math.max(engine.now(), record.grantedAt + 1, current.journal.turns.at(-1)?.at ?? 0),
  });
  return { nodes: [output, step], hash: step.hash };
};

/** What the step has taken, by its turns; of the run that stored it, what its program says in it. */
const usageOf = ({ written, journal: { turns } }: OpenStep): Usage => {
  if (written === null) return turnsSpent(turns, 0).usage;
  const others = turns.filter((turn) => turn.kind !== "tool" || !turn.ok);
  return addUsage(written.payload.usage, turnsSpent(others, 0).usage);
};

/** The thread that played the role, if one did. */
const lastChild = (turns: readonly NewTurn[]) => {
  const last = turns.findLast((turn) => turn.kind === "child");
  if (last?.kind !== "child") return {};
  const { childThreadId, childWorkflow, childHash } = last;
  return { childThreadId, childWorkflow, childHash };
};

/** How a step leaves its thread that is not gone on from. */
type Stop = { status: "suspended" | "paused"; reason: string };

/** A role that stops because the thread's budget is at its end asks for no answer. */
const stopOf = async (
  session: Session,
  { reason, current, workspace }: { reason: string; current: OpenStep; workspace: Hash | null },
): Promise<Stop> => {
  const limit = current.reached();
  if (limit?.of !== "thread") return { status: "suspended", reason };
  const shown = await showPartial(session, { workspace, summary: reason });
  return { status: "paused", reason: [limit.reason, ...shown, reason].join(" ") };
};

/** A stop moves the status with the head; when a person changed the status meanwhile, theirs stays. */
const moveHead = async (
  { engine, record }: Session,
  { tip, nodes, hash, stop }: { tip: Hash | null; nodes: Node[]; hash: Hash; stop: Stop | null },
): Promise<ThreadRecord> => {
  const expected = { head: record.head, tip, holder: engine.holder };
  const change: ThreadChange = { head: hash, tip: null, begun: [], note: null };
  if (stop !== null) {
    const stopped = await engine.store.advance(
      record.id,
      { ...expected, status: "running" },
      { ...change, ...stop },
      nodes,
    );
    if (stopped !== undefined) return stopped;
  }
  const moved = await engine.store.advance(record.id, expected, change, nodes);
  if (moved === undefined) throw new Interruption("moved", "Another process appended this step.");
  return moved;
};

const report = (
  { engine, record, history }: Session,
  {
    past,
    hash,
    output,
    current,
    stop,
  }: { past: PastStep; hash: Hash; output: Json; current: OpenStep; stop: Stop | null },
): void => {
  engine.emit({
    thread: record.id,
    at: engine.now(),
    kind: "step-finished",
    role: past.role,
    index: history.steps.length - 1,
    hash,
    output,
    usage: usageOf(current),
    ms: engine.now() - current.startedAt,
  });
  if (stop !== null && record.status === stop.status && record.reason === stop.reason)
    engine.emit({ thread: record.id, at: engine.now(), kind: "status", ...stop });
};
