import type { EventIssue } from "../../forge/events.ts";
import type { PullRequestDetails } from "../../forge/forge.ts";
import { checksInput } from "../follow-up/checks-input.ts";
import { openThreads } from "../follow-up/open-threads.ts";
import { reviewInput } from "../follow-up/review-input.ts";
import { notWorkable, sourceOf } from "../follow-up/source.ts";
import { startFollowUp } from "../follow-up/start.ts";
import { type Input, issueInput, withNote } from "../issue-input.ts";
import type { Asked } from "../parts.ts";
import { inputOf, startWork } from "../start-work.ts";
import { type Handler, told, underWay } from "./request.ts";
import { workOn } from "./start.ts";

/** Goes on with a pull request of the bot's own: open review comments, and the note. */
export const fix: Handler = async (parts, asked, request) => {
  const pull = await asked.forge.pullRequest(request.issue.number);
  const refusal = notWorkable(pull, asked);
  if (refusal !== null) return told(refusal);
  const { command, sender } = request;
  const threads = await openThreads(asked.forge, pull.number);
  if (command.note === "" && threads.length === 0)
    return told("No review comment is open here. Say in a note what to do: `/fix [note]`.");
  await request.seen();
  const input = withNote(await reviewInput({ pull, review: null, threads }), {
    login: sender.login,
    note: command.note,
  });
  return startFollowUp(parts, asked, {
    pull,
    request,
    workflow: "address-review",
    trigger: "fix",
    ...inputOf(input),
  });
};

export const ci: Handler = async (parts, asked, request) => {
  const pull = await asked.forge.pullRequest(request.issue.number);
  const refusal = notWorkable(pull, asked);
  if (refusal !== null) return told(refusal);
  const report = await asked.forge.checks(pull.head.commit);
  if (report.failed.length === 0) return told(`No check fails on ${pull.head.commit.slice(0, 12)}.`);
  await request.seen();
  const { command, sender } = request;
  const input = withNote(await checksInput({ pull, report }), { login: sender.login, note: command.note });
  return startFollowUp(parts, asked, { pull, request, workflow: "fix-ci", trigger: "ci", ...inputOf(input) });
};

/** Its text as it stood when the review was asked for: others may have changed it since. */
const reviewedInput = async (
  { forge }: Pick<Asked, "forge">,
  issue: EventIssue,
  { base }: Pick<PullRequestDetails, "base">,
): Promise<Input> => {
  const input = await issueInput(forge, issue);
  return { ...input, text: `${input.text}\n\nThe pull request goes into the branch ${base}.` };
};

/** Reads and comments; any open pull request will do. */
export const review: Handler = async (parts, asked, request) => {
  const pull = await asked.forge.pullRequest(request.issue.number);
  if (pull.merged) return told("This pull request is merged.");
  if (pull.state !== "open") return told("This pull request is closed. Open it again first.");
  await request.seen();
  const started = await startWork(parts, asked, {
    ...(await workOn(asked, request, { workflow: "review-pr", trigger: "review" })),
    ...inputOf(
      withNote(await reviewedInput(asked, request.issue, pull), {
        login: request.sender.login,
        note: request.command.note,
      }),
    ),
    pullRequest: sourceOf(pull, asked),
  });
  if (started.kind === "under-way") return told(underWay(started.thread));
  return started.kind === "started" ? { kind: "done", thread: started.thread } : { kind: "done" };
};
