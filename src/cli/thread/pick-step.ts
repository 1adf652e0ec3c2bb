import { inputError } from "../../base/errors.ts";
import { type Hash, normalizeId } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { History, StepRecord, ThreadRecord } from "../../store/store.ts";

/** A finished step, or what there is of the one that is under way or was cut off. */
export type PickedStep =
  | { kind: "finished"; index: number; record: StepRecord }
  | { kind: "unfinished"; index: number; turns: Hash };

/** The step that a person means: its number from 1 (negative: from the end), or the beginning of its hash. */
export const pickStep = (
  { history, record }: { history: History; record: ThreadRecord },
  text: string,
): PickedStep => {
  const { steps, end } = history;
  const open = record.tip ?? end?.turns ?? null;
  const count = steps.length + (open === null ? 0 : 1);
  const number = /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) {
    const step = steps[number - 1];
    if (step !== undefined) return { kind: "finished", index: number, record: step };
    if (open !== null && number === count) return { kind: "unfinished", index: number, turns: open };
    const there = count === 0 ? "it has none yet" : count === 1 ? "it has one" : `it has steps 1 to ${count}`;
    throw inputError("step-unknown", `thread ${record.id} has no step ${text}: ${there}`);
  }
  const prefix = normalizeId(text);
  const found = prefix.length < 8 ? [] : steps.filter(({ hash }) => hash.startsWith(prefix));
  const [only] = found;
  if (only !== undefined && found.length === 1)
    return { kind: "finished", index: steps.indexOf(only) + 1, record: only };
  throw inputError(
    "step-unknown",
    `"${text}" is no step of thread ${record.id}`,
    "Give its number, or the first 8 characters or more of its hash: `uwf thread steps` shows both.",
  );
};

/** The turns of a picked step, head of the chain; null when it had none. */
export const turnsOf = (step: PickedStep): Payload<"step">["turns"] =>
  step.kind === "finished" ? step.record.step.turns : step.turns;
