import type { Hash, ThreadId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { addUsage, zeroUsage } from "../../llm/usage.ts";
import { type Agent, agentLabel } from "../../store/agent-payload.ts";
import type { Usage } from "../../store/payload.ts";
import type { History, StepRecord, Store, ThreadRecord } from "../../store/store.ts";
import { align } from "./align.ts";
import { countCalls } from "./count-calls.ts";
import { type BaseFile, type FileBetween, filesBetween } from "./files-between.ts";

export type ReadParts = {
  store: Pick<Store, "history" | "load" | "turns">;
  baseFile: BaseFile;
};

/** One thread's side of a step. */
export type StepSide = {
  number: number;
  hash: Hash;
  agent: string;
  /** The thread that played the role, where a workflow did. */
  childThreadId: ThreadId | null;
  task: string;
  output: Json;
  calls: number;
  usage: Usage;
  ms: number;
};

/** A step after the shared ones: of both threads where they played the same role at the same time. */
export type StepPair = { role: string; a: StepSide | null; b: StepSide | null; files: FileBetween[] };

/** What a thread is and has come to; numbers are of its steps after the shared ones. */
export type ThreadSide = {
  record: ThreadRecord;
  /** The commit that it began with; null without a repository. */
  base: string | null;
  steps: number;
  calls: number;
  usage: Usage;
  ms: number;
  published: { branch: string; url: string | null } | null;
};

export type ThreadsBetween = {
  a: ThreadSide;
  b: ThreadSide;
  sameWorkflow: boolean;
  sameInput: boolean;
  /** The steps that both have, by hash. */
  shared: { number: number; role: string; hash: Hash }[];
  steps: StepPair[];
};

/** What two threads have in common, and where they part. Throws as the store does. */
export const compareThreads = async (
  parts: ReadParts,
  a: ThreadRecord,
  b: ThreadRecord,
): Promise<ThreadsBetween> => {
  const [left, right] = await Promise.all([a, b].map(({ head }) => parts.store.history(head)));
  if (left === undefined || right === undefined) throw new Error("two threads are compared");
  let shared = 0;
  while (left.steps[shared] !== undefined && left.steps[shared]?.hash === right.steps[shared]?.hash) shared++;
  const [own, theirs] = await Promise.all(
    [left, right].map(async ({ steps }) =>
      Promise.all(steps.slice(shared).map(async (step, index) => sided(parts, step, shared + index + 1))),
    ),
  );
  const rows = align(own ?? [], theirs ?? [], ({ record }) => record.step.role);
  return {
    a: await threadSide(parts, { record: a, history: left, own: own ?? [] }),
    b: await threadSide(parts, { record: b, history: right, own: theirs ?? [] }),
    sameWorkflow: left.start.workflow === right.start.workflow,
    sameInput: left.start.input === right.start.input,
    shared: left.steps
      .slice(0, shared)
      .map(({ hash, step }, index) => ({ number: index + 1, role: step.role, hash })),
    steps: await pairs(parts, rows),
  };
};

type Sided = { record: StepRecord; side: StepSide };

const sided = async ({ store }: ReadParts, record: StepRecord, number: number): Promise<Sided> => {
  const { hash, step, output } = record;
  const agent = nameOf(await store.load("agent", step.agent));
  const calls = step.turns === null ? 0 : await countCalls(store, await store.turns(step.turns));
  const { task, usage } = step;
  const childThreadId = (step.childThreadId ?? null) as ThreadId | null;
  const ms = step.finishedAt - step.startedAt;
  return { record, side: { number, hash, agent, childThreadId, task, output, calls, usage, ms } };
};

/** The agent's name, with its model where it has one. */
const nameOf = (agent: Agent): string =>
  "modelName" in agent ? `${agent.name} (${agent.modelName})` : agentLabel(agent);

const pairs = async (parts: ReadParts, rows: [Sided | null, Sided | null][]): Promise<StepPair[]> => {
  const told = new Set<string>();
  const found: StepPair[] = [];
  for (const [a, b] of rows) {
    const files = a === null || b === null ? [] : await filesOf(parts, a.record, b.record);
    // A difference that the steps before have left is told with them.
    const news = files.filter((file) => !told.has(JSON.stringify(file)));
    for (const file of news) told.add(JSON.stringify(file));
    const role = (a ?? b)?.record.step.role ?? "";
    found.push({ role, a: a?.side ?? null, b: b?.side ?? null, files: news });
  }
  return found;
};

const filesOf = async (parts: ReadParts, a: StepRecord, b: StepRecord): Promise<FileBetween[]> => {
  if (a.step.workspace === null || b.step.workspace === null || a.step.workspace === b.step.workspace)
    return [];
  const { store } = parts;
  const [left, right] = [
    await store.load("workspace", a.step.workspace),
    await store.load("workspace", b.step.workspace),
  ];
  return left.tree === right.tree ? [] : filesBetween(parts, left, right);
};

const threadSide = async (
  { store }: ReadParts,
  { record, history, own }: { record: ThreadRecord; history: History; own: readonly Sided[] },
): Promise<ThreadSide> => {
  const { start, steps, shared } = history;
  const published =
    steps.slice(shared).findLast(({ step }) => step.published !== null)?.step.published ?? null;
  return {
    record,
    base: start.workspace === null ? null : (await store.load("workspace", start.workspace)).base,
    steps: own.length,
    calls: own.reduce((sum, { side }) => sum + side.calls, 0),
    usage: own.reduce((sum, { side }) => addUsage(sum, side.usage), zeroUsage()),
    ms: own.reduce((sum, { side }) => sum + side.ms, 0),
    published: published === null ? null : { branch: published.branch, url: published.url },
  };
};
