import type { Workflow } from "../../workflow/workflow.ts";
import { type Decision, decide, type PastStep, type Resumption, TOLD } from "../moderator.ts";

/** What a person may have done before a decision, as far as a record shows it. */
export type Intervention = { resumed: Resumption | null; approved: boolean };

export type Decided = {
  input: string;
  trigger: string;
  /** Finished before the decision, oldest first. */
  steps: readonly PastStep[];
  /** The thread had completed before: it was begun again. */
  completed: boolean;
};

/** What came next in the record; null: the thread stopped there. */
export type Next = { role: string; task: string } | null;

/**
 * What the workflow decides, with the intervention of a person that explains the record, if one does: a note is part of the
 * next task, an approval is all that lets an answer pass that needs one.
 */
export const recordedDecision = async (
  workflow: Workflow,
  decided: Decided,
  isRecorded: (decision: Decision) => boolean,
  next: Next,
): Promise<{ decision: Decision; intervention: Intervention; explained: boolean }> => {
  let first: { decision: Decision; intervention: Intervention } | undefined;
  for (const intervention of interventions(decided, next)) {
    const decision = await decideWith(workflow, decided, intervention);
    first ??= { decision, intervention };
    if (isRecorded(decision)) return { decision, intervention, explained: true };
  }
  const none: Intervention = { resumed: null, approved: false };
  return {
    ...(first ?? { decision: await decideWith(workflow, decided, none), intervention: none }),
    explained: false,
  };
};

/** What a workflow decides when a person has done this. */
export const decideWith = (
  workflow: Workflow,
  { input, trigger, steps }: Decided,
  { resumed, approved }: Intervention,
): Promise<Decision> => decide(workflow, { input, trigger, steps, resumed, approved });

/** Those that the record allows, the likeliest first. */
const interventions = ({ completed }: Decided, next: Next): Intervention[] => {
  const notes = next === null ? [null] : [...notesIn(next.task), null];
  const resumptions = notes.map((note): Resumption => ({ note, completed }));
  const fresh = completed ? [] : [{ resumed: null, approved: false }];
  const [withNotes, without] = [resumptions.slice(0, -1), resumptions.slice(-1)];
  return [
    ...withNotes.map((resumed) => ({ resumed, approved: false })),
    ...fresh,
    ...without.map((resumed) => ({ resumed, approved: false })),
    ...[...resumptions].map((resumed) => ({ resumed, approved: true })),
  ];
};

/** A task with a note ends in it; a note may itself hold the words that come before one. */
const notesIn = (task: string): string[] => {
  const notes: string[] = [];
  for (let at = task.indexOf(TOLD); at >= 0; at = task.indexOf(TOLD, at + 1))
    notes.push(task.slice(at + TOLD.length));
  return notes.reverse();
};
