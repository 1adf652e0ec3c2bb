import type { EventIssue, IssueLabelled, LabelsChanged, Sender } from "../forge/events.ts";
import { subjectOf } from "../forge/keys.ts";
import { isRunnable } from "../thread/state.ts";
import { DESIGN } from "../workflow/reserved.ts";
import { unheard } from "./actors.ts";
import { wish } from "./commands/design.ts";
import { underWay } from "./commands/request.ts";
import { SOLVE } from "./commands/start.ts";
import { notWorkable, sourceOf } from "./follow-up/source.ts";
import { issueInput } from "./issue-input.ts";
import { tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { mayAsk } from "./permission.ts";
import { react } from "./react.ts";
import { inputOf, startWork, type Work } from "./start-work.ts";

/** Starts the workflow of the label that was added, when who added it may ask. */
export const handleLabelled = async (
  parts: IntakeParts,
  asked: Asked,
  event: IssueLabelled,
): Promise<Outcome> => {
  const workflow = workflowOf(asked, event.label);
  return workflow === null ? undefined : startLabelled(parts, asked, { ...event, workflow });
};

/** How far an addition may lie before the change that it was told with. */
const SAME_MS = 5_000;

/** Of the labels that are there, only one that was added with this very change starts anything. */
export const handleLabels = async (
  parts: IntakeParts,
  asked: Asked,
  event: LabelsChanged,
): Promise<Outcome> => {
  const { issue, labels, at, sender } = event;
  for (const label of labels) {
    const workflow = workflowOf(asked, label);
    const addition = workflow === null ? undefined : await asked.forge.labelAddition?.(issue.number, label);
    if (workflow === null || addition === undefined) continue;
    if (addition.at < at - SAME_MS || addition.by.toLowerCase() !== sender.login.toLowerCase()) continue;
    const name = `${subjectOf(asked.place, issue.number)} label ${addition.id}`;
    const started = await startLabelled(parts, asked, {
      issue,
      sender,
      workflow,
      key: { name, at: addition.at },
    });
    if (started !== undefined) return started;
  }
  return undefined;
};

/** Labels are the same whatever their case. */
const workflowOf = ({ settings }: Asked, label: string): string | null => {
  const found = Object.entries(settings.labels).find(([name]) => name.toLowerCase() === label.toLowerCase());
  return found?.[1] ?? null;
};

type Labelled = { issue: EventIssue; sender: Sender; workflow: string; key?: NonNullable<Work["key"]> };

const startLabelled = async (
  parts: IntakeParts,
  asked: Asked,
  { issue, sender, workflow, key }: Labelled,
): Promise<Outcome> => {
  if (issue.state !== "open" || sender.isBot) return undefined;
  const { forge } = asked;
  const actor = { place: asked.place, sender, id: asked.id };
  if (parts.actors.isRefused(actor) || (await parts.actors.isUnheard(actor))) return undefined;
  if (!(await mayAsk(forge, sender, parts.log))) {
    await react({ forge, log: parts.log }, { issue: issue.number }, "confused");
    parts.actors.refuse(actor);
    return undefined;
  }
  const answer = async (text: string): Promise<undefined> => {
    await tell(parts, asked, { number: issue.number, notice: { to: sender.login, text } });
  };
  if ((await parts.actors.hear(actor)) === "unheard")
    return answer(unheard(parts.config.limits.perActor.heardPerHour));
  const pullRequest = await pullRequestOf(asked, { issue, workflow });
  if (typeof pullRequest === "string") return answer(pullRequest);
  const input = workflow === DESIGN ? await wish(issue, "") : await issueInput(forge, issue);
  if (typeof input === "string") return answer(input);
  await react({ forge, log: parts.log }, { issue: issue.number }, "eyes");
  const started = await startWork(parts, asked, {
    workflow,
    trigger: "label",
    about: { number: issue.number, title: issue.title, url: issue.url },
    requester: { login: sender.login, id: sender.id },
    ...inputOf(input),
    options: {},
    ...(pullRequest === null ? {} : { pullRequest }),
    ...(key === undefined ? {} : { key }),
  });
  if (started.kind === "started") return started.thread;
  // Work that goes on can be seen to; what waits for a person may be forgotten.
  return started.kind === "under-way" && !isRunnable(started.thread.status)
    ? answer(underWay(started.thread))
    : undefined;
};

/** What a label on a pull request asks for is done on its branch; null for an issue, a text for people when it cannot be done. */
const pullRequestOf = async (
  asked: Asked,
  { issue, workflow }: Pick<Labelled, "issue" | "workflow">,
): Promise<NonNullable<Work["pullRequest"]> | null | string> => {
  if (!issue.isPullRequest) return null;
  if (workflow === SOLVE || workflow === DESIGN)
    return "that label is for issues. On a pull request of mine, `/fix [note]` goes on with the work.";
  const pull = await asked.forge.pullRequest(issue.number);
  // Who only reads and comments may do so anywhere.
  const refusal = workflow === "review-pr" ? null : notWorkable(pull, asked);
  return refusal ?? sourceOf(pull, asked);
};
