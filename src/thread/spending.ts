import type { NewTurn } from "../agents/adapter.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { History, Store, ThreadRecord } from "../store/store.ts";
import { mostOf } from "./limits.ts";

/**
 * What a step's turns have used since `grantedAt`: tokens, money, and the time of model and tools; what the first of the
 * model's replies has used, null when there is none; and the most that any has, kind by kind.
 */
export const turnsSpent = (
  turns: readonly NewTurn[],
  grantedAt: number,
): { usage: Usage; ms: number; first: Usage | null; most: Usage } => {
  let usage = zeroUsage();
  let ms = 0;
  let first: Usage | null = null;
  let most = zeroUsage();
  for (const turn of turns) {
    if (turn.at <= grantedAt) continue;
    if (turn.kind === "message" || turn.kind === "state") continue;
    usage = addUsage(usage, turn.usage ?? zeroUsage());
    if (turn.kind !== "compaction") ms += turn.ms;
    if (turn.kind === "reply") {
      first ??= turn.usage;
      most = mostOf(most, turn.usage);
    }
  }
  return { usage, ms, first, most };
};

/** What the finished steps have used altogether; those that a fork shares are not its own. */
export const stepsSpent = ({ steps, shared }: Pick<History, "steps" | "shared">): Usage =>
  steps.slice(shared).reduce((sum, { step }) => addUsage(sum, step.usage), zeroUsage());

/** What the finished steps have used since `grantedAt`; of a step that was under way then, only what came after. */
export const stepsSpentSince = async (
  store: Pick<Store, "turns">,
  history: History,
  grantedAt: number,
): Promise<Usage> => {
  let usage = zeroUsage();
  for (const { step } of history.steps) {
    if (step.finishedAt <= grantedAt) continue;
    const since =
      step.startedAt > grantedAt || step.turns === null
        ? step.usage
        : turnsSpent(await store.turns(step.turns), grantedAt).usage;
    usage = addUsage(usage, since);
  }
  return usage;
};

/** US dollars that the thread has spent since then, with the step that is under way, or that was when the thread ended. */
export const spentSince = async (
  store: Pick<Store, "turns">,
  { record, history }: { record: Pick<ThreadRecord, "tip">; history: History },
  since: number,
): Promise<number> => {
  const steps = await stepsSpentSince(store, history, since);
  const unfinished = record.tip ?? history.end?.turns ?? null;
  const turns = unfinished === null ? [] : await store.turns(unfinished);
  return addUsage(steps, turnsSpent(turns, since).usage).costUsd ?? 0;
};

/** When the last turn or step was made of which money is counted; 0 when there is none. */
export const lastSpentAt = async (
  store: Pick<Store, "load">,
  { record, history }: { record: Pick<ThreadRecord, "tip">; history: History },
): Promise<number> => {
  const unfinished = record.tip ?? history.end?.turns ?? null;
  const turn = unfinished === null ? null : await store.load("turn", unfinished);
  return Math.max(turn?.at ?? 0, history.steps.at(-1)?.step.finishedAt ?? 0);
};

/** The date that a thread's next turn has at the earliest: after all that counts already, and after a person let it go on. */
export const earliestTurn = async (
  store: Pick<Store, "load">,
  { record, history }: { record: Pick<ThreadRecord, "tip" | "createdAt" | "grantedAt">; history: History },
): Promise<number> =>
  Math.max(record.createdAt, record.grantedAt + 1, (await lastSpentAt(store, { record, history })) + 1);
