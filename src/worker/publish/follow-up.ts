import { AppError, inputError } from "../../base/errors.ts";
import type { PullRequestDetails } from "../../forge/forge.ts";
import { commitKey, subjectOf } from "../../forge/keys.ts";
import { neutralize, neutralizeLine } from "../../forge/text/neutralize.ts";
import type { Source } from "../../store/payload.ts";
import type { Publication, Published } from "../../thread/publisher.ts";
import { postAnswers } from "./answers.ts";
import { nothingChanged, prepareCommit, pushTo } from "./commit.ts";
import type { OnForge, PublisherParts, Target } from "./parts.ts";
import { Submission, submissionOf } from "./submission.ts";
import { pullLinkOf } from "./written.ts";

type PullSource = NonNullable<Source["pullRequest"]>;

/**
 * Publishes more work on a pull request that the bot has opened: one more commit on its branch, and answers to the
 * conversations in its reviews. Its title and body stay as they are. Throws `pull-request-closed`,
 * `pull-request-foreign`, `branch-moved` and `nothing-changed` (fix-input).
 */
export const publishFollowUp = async (
  parts: PublisherParts,
  publication: Publication,
  { target, on, pullRequest }: { target: Target; on: OnForge; pullRequest: PullSource },
): Promise<Published> => {
  const submission = submissionOf(publication, { schema: Submission, needs: "a title and a body" });
  const { thread } = publication;
  const captured = await parts.store.load("workspace", publication.workspace);
  const pull = await ownPull(on, pullRequest);
  await linkPull(parts, publication, { on, pull });
  const changes = captured.files.length > 0 || (await parts.store.link(thread, "commit")) !== undefined;
  if (!changes && submission.answers.length === 0) throw nothingChanged();
  const { title } = submission;
  const commit = changes ? await push(parts, publication, { target, on, pull, title }) : captured.base;
  await postAnswers(on, publication, { pull: pull.number, answers: submission.answers });
  return {
    branch: pull.branch,
    commit,
    url: pull.url,
    title: neutralizeLine(title),
    body: neutralize(submission.body),
  };
};

/** Asked again before the push: it may have been closed, or given to another branch, since the trigger. */
const ownPull = async (
  { forge, place }: OnForge,
  { number, branch }: PullSource,
): Promise<PullRequestDetails> => {
  const pull = await forge.pullRequest(number);
  if (pull.state !== "open")
    throw inputError(
      "pull-request-closed",
      `Pull request #${number} is closed by now, so nothing was pushed to it.`,
      "Ask for further work on the issue: it gets a pull request of its own.",
    );
  const isHere = pull.head.repository?.toLowerCase() === place.repository.toLowerCase();
  if (!pull.isOwn || !isHere || pull.branch !== branch || pull.branch === pull.base)
    throw inputError(
      "pull-request-foreign",
      `Pull request #${number} is not one of a branch of mine here, so nothing was pushed to it.`,
    );
  return pull;
};

const linkPull = async (
  { store }: PublisherParts,
  { thread }: Publication,
  { on, pull }: { on: OnForge; pull: PullRequestDetails },
): Promise<void> => {
  const before = await pullLinkOf(store, { thread });
  const { number, url, draft } = pull;
  await store.setLink(thread, "pull-request", JSON.stringify({ ...before, number, url, draft }));
  await store.setLink(thread, "pull-subject", subjectOf(on.place, number));
};

/** The forge says that the bot opened it, so its branch is the bot's, whatever its branches' names begin with by now. */
const push = async (
  parts: PublisherParts,
  publication: Publication,
  { target, on, pull, title }: { target: Target; on: OnForge; pull: PullRequestDetails; title: string },
): Promise<string> => {
  const { branch } = pull;
  const prepared = await prepareCommit(target, publication, { title, closes: null });
  try {
    const at = { branch, prefix: branch, onto: "existing-branch" } as const;
    const { commit } = await pushTo(parts, publication, { prepared, ...at });
    await parts.store.setLink(publication.thread, "commit", commitKey(on.place, commit));
    return commit;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "branch-moved")) throw error;
    throw inputError(
      "branch-moved",
      `${branch} has moved on since this work began, and nothing is pushed over what is new there`,
      "`/retry` starts over from there.",
    );
  }
};
