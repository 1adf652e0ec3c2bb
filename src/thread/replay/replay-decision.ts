import { shortDiff } from "../../base/line-diff.ts";
import type { History } from "../../store/store.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Decision } from "../moderator.ts";
import type { Playback } from "./playback.ts";
import { type Decided, decideWith, recordedDecision } from "./recorded-decision.ts";
import type { Heard } from "./replay-turns.ts";

/** What followed in the record: a step, or the thread's end, or waiting for a person. */
export type Followed = { role: string; task: string } | "completed" | "suspended";

export type Deciding = {
  workflow: Workflow;
  history: History;
  /** How many steps were finished before. */
  index: number;
  followed: Followed;
  /** The thread had completed before: it was begun again. */
  completed: boolean;
  heard: Pick<Heard, "drift">;
};

/** Lets the recorded workflow decide again, and the one that was given instead: what each makes of it is compared. */
export const replayDecision = async (
  { instead }: Pick<Playback, "instead">,
  { workflow, heard, followed, ...deciding }: Deciding,
): Promise<void> => {
  const decided = decidedOf(deciding);
  const { decision, intervention, explained } = await recordedDecision(
    workflow,
    decided,
    (one) => isFollowed(one, followed),
    typeof followed === "string" ? null : followed,
  );
  if (instead === null) {
    if (!explained) tell(heard, decision, followed);
    return;
  }
  const other = await decideWith(instead, decided, intervention);
  if (!isFollowed(other, followed)) tell(heard, other, followed);
};

/** What the moderator is told before the step at `index`. */
export const decidedOf = ({
  history: { start, steps },
  index,
  completed,
}: Pick<Deciding, "history" | "index" | "completed">): Decided => ({
  input: start.input,
  trigger: start.trigger ?? "",
  steps: steps.slice(0, index).map(({ step, output }) => ({ role: step.role, task: step.task, output })),
  completed,
});

const isFollowed = (decision: Decision, followed: Followed): boolean => {
  if (followed === "completed") return decision.kind === "end";
  if (followed === "suspended") return decision.kind === "suspend";
  return decision.kind === "run" && decision.role === followed.role && decision.task === followed.task;
};

const tell = (heard: Deciding["heard"], decision: Decision, followed: Followed): void => {
  if (decision.kind === "run" && typeof followed !== "string" && decision.role === followed.role)
    heard.drift("decision", "It is given another task.", { diff: shortDiff(followed.task, decision.task) });
  else heard.drift("decision", `The workflow ${nowText(decision)}, and ${thenText(followed)}.`);
};

const nowText = (decision: Decision): string => {
  switch (decision.kind) {
    case "run":
      return `goes on with ${decision.role}`;
    case "end":
      return "ends";
    case "suspend":
      return `waits for a person (${decision.reason.replace(/\.$/, "")})`;
  }
};

const thenText = (followed: Followed): string => {
  if (followed === "completed") return "ended";
  if (followed === "suspended") return "waited for a person";
  return `went on with ${followed.role}`;
};
