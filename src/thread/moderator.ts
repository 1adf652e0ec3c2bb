import { AppError, messageOf } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import type { Edge } from "../store/payload.ts";
import { holds } from "../workflow/condition.ts";
import { renderPrompt } from "../workflow/template.ts";
import { END, START, SUSPEND, type Workflow } from "../workflow/workflow.ts";

/** A step that was taken: who worked, what was asked, and what was answered. */
export type PastStep = { role: string; task: string; output: unknown };

/** What a person did before this decision; null between two steps of one run. */
export type Resumption = {
  /** What the person said. */
  note: string | null;
  /** The thread had completed: it goes in again by the `resume` edges. */
  completed: boolean;
};

export type Situation = {
  input: string;
  /** See `ConditionContext`. */
  trigger: string;
  /** Oldest first. */
  steps: readonly PastStep[];
  resumed: Resumption | null;
  /** True when a person has approved what the last step answered. */
  approved: boolean;
};

export type Decision =
  | { kind: "run"; role: string; task: string }
  | { kind: "end" }
  | { kind: "suspend"; reason: string };

/** Picks what happens next from the table and the last output. */
export const decide = async (workflow: Workflow, situation: Situation): Promise<Decision> => {
  const { steps, resumed } = situation;
  const last = steps.at(-1);
  if (last !== undefined && !resumed?.completed) {
    const reason = suspension(last.output);
    if (reason !== null)
      return resumed ? again(last, { reason, note: resumed.note }) : { kind: "suspend", reason };
    if (needsApproval(workflow, situation)) {
      const note = resumed?.note ?? "";
      return note === "" ? { kind: "suspend", reason: APPROVAL } : revised(last, note);
    }
  }
  const from = last === undefined || resumed?.completed ? START : last.role;
  try {
    const edge = await edgeToTake(workflow, { ...situation, from });
    if (edge === null) return noEdge(last, { from, resumed });
    if (edge.to === END) return ending(last, situation);
    const task = await taskOf(edge, { ...situation, workflow });
    if (edge.to === SUSPEND) return waiting(last, { reason: edge.prompt === null ? "" : task, resumed });
    return { kind: "run", role: edge.to, task: withNote(task, resumed?.note ?? null) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: "suspend", reason: `After ${from}: ${messageOf(error)}` };
  }
};

/** The reason when a role answered that it waits for a person, else null. */
export const suspension = (output: unknown): string | null => {
  if (!isObject(output) || output.$status !== SUSPEND) return null;
  return typeof output.reason === "string" && output.reason !== ""
    ? output.reason
    : "The role gave no reason.";
};

/**
 * The first edge that holds. Where that one waits for a person who has answered, the table is read on below it: a role that it
 * leads to there is told the answer. Throws as `holds`.
 */
export const edgeToTake = async (
  workflow: Workflow,
  situation: Situation & { from: string },
): Promise<Edge | null> => {
  const edge = await firstEdge(workflow, situation);
  if (edge?.to !== SUSPEND || !situation.resumed?.note) return edge;
  const below = workflow.moderator.slice(workflow.moderator.indexOf(edge) + 1);
  const next = await firstEdge({ ...workflow, moderator: below }, situation);
  return next === null || next.to === END || next.to === SUSPEND ? edge : next;
};

const firstEdge = async (
  workflow: Pick<Workflow, "roles" | "moderator">,
  situation: Situation & { from: string },
): Promise<Edge | null> => {
  const { from, steps, input, trigger, resumed } = situation;
  const mode = resumed?.completed ? "resume" : "new";
  const visits: Record<string, number> = Object.fromEntries(
    Object.keys(workflow.roles).map((role) => [role, 0]),
  );
  for (const step of steps) visits[step.role] = (visits[step.role] ?? 0) + 1;
  const output = from === START ? null : (steps.at(-1)?.output ?? null);
  const scope = { output, steps: outputsOf(steps), visits, input, trigger };
  for (const edge of workflow.moderator) {
    if (edge.from !== from || (edge.on !== null && edge.on !== mode)) continue;
    if (edge.when === null || (await holds(edge.when, scope))) return edge;
  }
  return null;
};

/** A note that no further role would be told is about the last answer. */
const ending = (last: PastStep | undefined, { resumed, approved }: Situation): Decision =>
  last !== undefined && resumed?.note && !resumed.completed && !approved
    ? revised(last, resumed.note)
    : { kind: "end" };

/** What the edge asks of the next role. Throws as `renderPrompt`. */
export const taskOf = async (
  edge: Edge,
  { workflow, input, steps }: Situation & { workflow: Workflow },
): Promise<string> => {
  if (edge.prompt === null) return input;
  const last = steps.at(-1);
  return renderPrompt(edge.prompt, last?.output ?? null, {
    input,
    steps: outputsOf(steps),
    schema: workflow.roles[last?.role ?? ""]?.schema ?? {},
  });
};

/** Each role's last output. */
const outputsOf = (steps: readonly PastStep[]): Record<string, unknown> =>
  Object.fromEntries(steps.map(({ role, output }) => [role, output]));

const noEdge = (
  last: PastStep | undefined,
  { from, resumed }: { from: string; resumed: Resumption | null },
): Decision =>
  waiting(last, {
    reason: resumed?.completed
      ? `This workflow has no edge from ${START} for work that goes on after its end.`
      : `No edge from ${from} holds for its last output.`,
    resumed,
  });

/** Whether an edge behind the role leads to a person. */
export const waitsByEdge = ({ moderator }: Pick<Workflow, "moderator">, role: string): boolean =>
  moderator.some(({ from, to }) => from === role && to === SUSPEND);

/** Waits for a person; with the person's note, the last role works again. */
const waiting = (
  last: PastStep | undefined,
  { reason: said, resumed }: { reason: string; resumed: Resumption | null },
): Decision => {
  const reason = said.trim() === "" ? "The workflow waits for a person here." : said.trim();
  return last !== undefined && resumed?.note
    ? again(last, { reason, note: resumed.note })
    : { kind: "suspend", reason };
};

const again = (last: PastStep, { reason, note }: { reason: string; note: string | null }): Decision => ({
  kind: "run",
  role: last.role,
  task: withNote(`${last.task}\n\nYou stopped at this task before, because: ${reason}`, note ?? GO_ON),
});

/** What a person says who lets the work go on and has nothing to say about it. */
export const GO_ON = "Go on.";

const APPROVAL = "Waits for the approval of what was answered.";

/** True while the last step's answer is one that a person has to approve, and has not. */
export const needsApproval = (
  workflow: Pick<Workflow, "roles">,
  { steps, approved }: { steps: readonly Pick<PastStep, "role">[]; approved: boolean },
): boolean => {
  const last = steps.at(-1);
  return last !== undefined && !approved && workflow.roles[last.role]?.approval === "required";
};

const revised = (last: PastStep, note: string): Decision => ({
  kind: "run",
  role: last.role,
  task: withNote(
    `${last.task}\n\nYou answered this before; a person wants it changed. Your answer was:\n\n${JSON.stringify(last.output, null, 2)}`,
    note,
  ),
});

/** What stands between a task and what a person said about it. */
export const TOLD = "\n\nA person who may decide adds:\n\n";

/** What a person said about a task whose own words hold nothing of the kind; null: nothing. */
export const noteIn = (task: string): string | null => {
  const at = task.indexOf(TOLD);
  return at === -1 ? null : task.slice(at + TOLD.length);
};

/** A task with what a person said about it. */
export const withNote = (task: string, note: string | null): string =>
  note === null || note === "" ? task : `${task}${TOLD}${note}`;
