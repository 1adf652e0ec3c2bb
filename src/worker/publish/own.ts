import { neutralizeLine } from "../../forge/text/neutralize.ts";
import { pullRequestBody } from "../../forge/text/pull-request-body.ts";
import type { RepositorySettings } from "../../store/payload.ts";
import type { PartialWork, Publication, Published, PublishedWork } from "../../thread/publisher.ts";
import { checksPassed } from "../checks-passed.ts";
import { receiptOf } from "../receipt.ts";
import { pushBranch } from "./branch.ts";
import { prepareCommit } from "./commit.ts";
import type { PublisherParts, Target } from "./parts.ts";
import { requireUnprotected } from "./protected-paths.ts";
import { showPullRequest } from "./pull-request.ts";
import { Submission, submissionOf } from "./submission.ts";

/** Publishes finished work on a branch and a pull request of its own. */
export const publishOwn = async (
  parts: PublisherParts,
  publication: Publication,
  target: Target,
): Promise<Published> => {
  const { title, body } = submissionOf(publication, { schema: Submission, needs: "a title and a body" });
  const isFork = (await parts.store.link(publication.thread, "fork")) !== undefined;
  return publishWork(parts, publication, {
    target,
    title,
    body,
    closes: target.on === null ? null : target.source.issue.number,
    draft: isFork || wantsDraft(target.settings, checksPassed(publication.history)),
    partial: false,
  });
};

/** Publishes what there is of work that stopped half-way: always a draft, whose merge closes nothing. */
export const publishStopped = async (
  parts: PublisherParts,
  work: PartialWork,
  target: Target,
): Promise<Published> => {
  const { number, title } = target.source.issue;
  const about = number === null ? "" : ` for #${number}`;
  const stopped = `The work stopped at its budget before it was finished. This is what there is so far${about}.`;
  return publishWork(parts, work, {
    target,
    title,
    body: work.summary === "" ? stopped : `${stopped}\n\n${work.summary}`,
    closes: null,
    draft: true,
    partial: true,
  });
};

const wantsDraft = ({ draft }: Pick<RepositorySettings, "draft">, passed: boolean): boolean => {
  switch (draft) {
    case "always":
      return true;
    case "never":
      return false;
    case "until-tests-pass":
      return !passed;
  }
};

type Wanted = {
  target: Target;
  title: string;
  body: string;
  /** The issue that a merge closes. */
  closes: number | null;
  draft: boolean;
  partial: boolean;
};

const publishWork = async (
  parts: PublisherParts,
  work: PublishedWork & Pick<PartialWork, "step">,
  { target, title, body, closes, draft, partial }: Wanted,
): Promise<Published> => {
  const { on, settings } = target;
  requireUnprotected(await parts.store.load("workspace", work.workspace), settings);
  const prepared = await prepareCommit(target, work, { title, closes });
  const { pushed, pull } = await pushBranch(parts, work, { target, prepared });
  const receipt = await receiptOf(parts.store, work, parts.now());
  const text = { title: neutralizeLine(title), body: pullRequestBody({ body, issue: closes, receipt }) };
  const shown =
    on === null
      ? null
      : await showPullRequest(parts, work, { target, on, pushed, pull, text, draft, partial });
  return { branch: pushed.branch, commit: pushed.commit, url: shown?.url ?? null, ...text };
};
