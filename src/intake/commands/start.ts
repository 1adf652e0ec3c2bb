import { inputError } from "../../base/errors.ts";
import { subjectOf } from "../../forge/keys.ts";
import type { Payload } from "../../store/payload.ts";
import { approvalIn } from "../../thread/approval.ts";
import { cancelThread } from "../../thread/commands.ts";
import { DESIGN } from "../../workflow/reserved.ts";
import { pullRequestSource, whyClosed } from "../follow-up/source.ts";
import { issueInput, withNote } from "../issue-input.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { inputOf, type Started, startWork, threadOf, type Work } from "../start-work.ts";
import { isUnderWay, threadsAbout } from "../subjects.ts";
import { answerTo } from "./answer-to.ts";
import { design } from "./design.ts";
import { optionProblem } from "./options.ts";
import type { CommandOptions } from "./read-options.ts";
import { type Handler, type Request, STANDS, told } from "./request.ts";

/** What issues are solved with, unless somebody says otherwise. */
export const SOLVE = "solve-issue";

export const solve: Handler = async (parts, asked, request) => {
  if (request.command.options.workflow === DESIGN) return design(parts, asked, request);
  const closed = await whyClosed(asked, request.issue);
  if (closed !== null) return told(closed);
  await request.seen();
  return answerTo(
    await startWork(parts, asked, await workOn(asked, request, { workflow: SOLVE, trigger: "solve" })),
  );
};

/** A plan that waits is replaced: the new one begins from the branch as it is now. */
export const plan: Handler = async (parts, asked, request) => {
  const closed = await whyClosed(asked, request.issue);
  if (closed !== null) return told(closed);
  await request.seen();
  const { engine } = parts;
  const all = await threadsAbout(engine.store, subjectOf(asked.place, request.issue.number));
  const waiting = all.find((thread) => isUnderWay(thread) && thread.id !== threadOf(asked, {}));
  if (waiting !== undefined && (await approvalIn(engine.store, waiting)) !== null)
    await cancelThread(engine, waiting.id, "Replaced by a new plan.");
  const work = await workOn(asked, request, { workflow: SOLVE, trigger: "plan" });
  return answerTo(await startWork(parts, asked, { ...work, check: hasApproval }));
};

const hasApproval: NonNullable<Work["check"]> = (roles, workflow) => {
  if (roles.some(({ approval }) => approval === "required")) return;
  throw inputError(
    "plan-unsupported",
    `The workflow ${workflow} has no role whose answer is approved by a person.`,
  );
};

const needsNoPullRequest: NonNullable<Work["check"]> = (roles, workflow) => {
  if (roles.every(({ publish }) => publish !== "review")) return;
  throw inputError("review-nowhere", `The workflow ${workflow} reviews a pull request, and this is none.`);
};

export const run: Handler = async (parts, asked, request) => {
  if (request.command.argument === DESIGN && !request.issue.isPullRequest)
    return design(parts, asked, request);
  const started = await runOn(parts, asked, { ...request, workflow: request.command.argument ?? "" });
  return typeof started === "string" ? told(started) : answerTo(started);
};

/** A workflow by its name, whoever asks; `key`: see `Work`. */
export type RunRequest = Wish & Pick<Request, "seen"> & Pick<Work, "workflow" | "key">;

/** Any workflow, on the issue or on the pull request's branch; a text for people when it cannot be. */
export const runOn = async (
  parts: IntakeParts,
  asked: Asked,
  { workflow, key, ...request }: RunRequest,
): Promise<Started | string> => {
  const { issue } = request;
  // Nobody would be heard there.
  if (workflow === DESIGN && issue.isPullRequest)
    return "A workflow is talked over on an issue: `/design [what you want]` begins there.";
  const closed = await whyClosed(asked, issue);
  if (closed !== null) return closed;
  const pullRequest = issue.isPullRequest ? await pullRequestSource(asked, issue.number) : null;
  if (typeof pullRequest === "string") return pullRequest;
  await request.seen();
  const work = await workOn(asked, request, { workflow, trigger: "run" });
  return startWork(parts, asked, {
    ...work,
    ...(pullRequest === null ? { check: needsNoPullRequest } : { pullRequest }),
    ...(key === undefined ? {} : { key }),
  });
};

/** The last work here once more, from the branch as it is now, with what its command asked for unless this one says otherwise. */
export const retry: Handler = async (parts, asked, request) => {
  const { store } = parts.engine;
  const closed = await whyClosed(asked, request.issue);
  if (closed !== null) return told(closed);
  const [last] = await threadsAbout(store, subjectOf(asked.place, request.issue.number));
  if (last === undefined) return told("There is nothing to start over. `/help` shows what can be done.");
  if (isUnderWay(last))
    return told(`The work ${STANDS[last.status]}. \`/stop\` ends it, and then \`/retry\` starts over.`);
  if (last.status === "completed")
    return told(
      request.issue.isPullRequest
        ? "That work is done. `/fix` with a note asks for more."
        : "That work is done. `/solve` starts new work.",
    );
  const start = await store.load("thread-start", last.start);
  if (start.source === null || start.source.issue.number === null)
    return told("That work cannot be started over.");
  const options = { ...askedBefore(start), ...request.command.options };
  const problem = optionProblem(parts, asked, options);
  if (problem !== null) return told(problem);
  await request.seen();
  const { issue, pullRequest } = start.source;
  const started = await startWork(parts, asked, {
    workflow: last.workflow,
    trigger: start.trigger ?? "",
    about: { number: start.source.issue.number, title: issue.title, url: issue.url ?? "" },
    requester: request.sender,
    input: start.input,
    leftOut: start.leftOut ?? {},
    options,
    ...(pullRequest === undefined ? {} : { pullRequest }),
  });
  return answerTo(started);
};

const askedBefore = ({ asked = {} }: Payload<"thread-start">): CommandOptions => {
  const { model, budgetUsd, edit, copy } = asked;
  return {
    ...(model === undefined ? {} : { model }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(edit === undefined ? {} : { edit }),
    ...(copy === undefined ? {} : { copy }),
  };
};

/** What somebody wants done about an issue; `sender`: null for the operator. */
type Wish = Pick<Request, "issue"> & {
  command: Pick<Request["command"], "note" | "options">;
  sender: Request["sender"] | null;
};

export const workOn = async (
  { forge }: Pick<Asked, "forge">,
  { command, issue, sender }: Wish,
  { workflow, trigger }: Pick<Work, "workflow" | "trigger">,
): Promise<Work> => ({
  workflow,
  trigger,
  about: { number: issue.number, title: issue.title, url: issue.url },
  requester: sender,
  ...inputOf(withNote(await issueInput(forge, issue), { login: sender?.login ?? null, note: command.note })),
  options: command.options,
});
