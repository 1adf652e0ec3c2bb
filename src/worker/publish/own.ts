import type { ThreadId } from "../../base/ids.ts";
import { neutralizeLine } from "../../forge/text/neutralize.ts";
import { pullRequestBody } from "../../forge/text/pull-request-body.ts";
import type { RepositorySettings } from "../../store/payload.ts";
import type { PartialWork, Publication, Published, PublishedWork } from "../../thread/publisher.ts";
import { readRefused } from "../../thread/refused-hosts.ts";
import { mermaid } from "../../workflow/mermaid.ts";
import { checksPassed } from "../checks-passed.ts";
import { receiptOf } from "../receipt.ts";
import { admittedFile } from "./admitted-file.ts";
import { pushBranch } from "./branch.ts";
import { prepareCommit } from "./commit.ts";
import type { PublisherParts, Target } from "./parts.ts";
import { showPullRequest } from "./pull-request.ts";
import { Submission, submissionOf } from "./submission.ts";
import { pullLinkOf } from "./written.ts";

/** Publishes finished work on a branch and a pull request of its own. */
export const publishOwn = async (
  parts: PublisherParts,
  publication: Publication,
  target: Target,
): Promise<Published> => {
  const { title, body } = submissionOf(publication, { schema: Submission, needs: "a title and a body" });
  const { on, source } = target;
  const designed = await admittedFile(parts.store, publication.history);
  const isFork = (await parts.store.link(publication.thread, "fork")) !== undefined;
  return publishWork(parts, publication, {
    target,
    title,
    body,
    graph: designed === null ? null : mermaid(designed.workflow),
    closes: on === null || source.pullRequest !== undefined ? null : source.issue.number,
    draft: isFork || wantsDraft(target.settings, checksPassed(publication.history)),
    unfinished: null,
  });
};

/** Publishes what there is of work that stopped half-way: always a draft, whose merge closes nothing. */
export const publishStopped = async (
  parts: PublisherParts,
  work: PartialWork,
  target: Target,
): Promise<Published> => {
  const { number, title } = target.source.issue;
  const stopped = "The work stopped at its budget before it was finished: this is what there is so far.";
  return publishWork(parts, work, {
    target,
    title,
    body: number === null ? "" : `For #${number}.`,
    graph: null,
    unfinished: work.summary === "" ? stopped : `${stopped}\n\n${work.summary}`,
    closes: null,
    draft: true,
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

/** The pull request of what the thread was forked from; undefined when it is no fork, or that has none yet. */
const besideOf = async (
  store: PublisherParts["store"],
  { thread }: Pick<PublishedWork, "thread">,
  { source }: Target,
): Promise<number | undefined> => {
  const origin = await store.link(thread, "fork");
  if (origin === undefined) return undefined;
  return (await pullLinkOf(store, { thread: origin as ThreadId }))?.number ?? source.pullRequest?.number;
};

type Wanted = {
  target: Target;
  title: string;
  body: string;
  /** A Mermaid flowchart of uwf's own to show with it. */
  graph: string | null;
  /** The issue that a merge closes. */
  closes: number | null;
  draft: boolean;
  /** Why the work stopped before its end, and what is left; null when it is finished. */
  unfinished: string | null;
};

const publishWork = async (
  parts: PublisherParts,
  work: PublishedWork & Pick<PartialWork, "step">,
  { target, title, body, graph, closes, draft, unfinished }: Wanted,
): Promise<Published> => {
  const { on } = target;
  const prepared = await prepareCommit(target, work, { title, closes });
  const { pushed, pull } = await pushBranch(parts, work, { target, prepared });
  const [receipt, beside, refused] = await Promise.all([
    receiptOf(parts.store, work, parts.now()),
    on === null ? undefined : besideOf(parts.store, work, target),
    parts.store.link(work.thread, "refused-hosts").then(readRefused),
  ]);
  const text = {
    title: neutralizeLine(title),
    body: pullRequestBody({
      body,
      ...(graph === null ? {} : { graph }),
      issue: closes,
      receipt,
      refused,
      ...(beside === undefined ? {} : { beside }),
      ...(unfinished === null ? {} : { partial: unfinished }),
    }),
  };
  const partial = unfinished !== null;
  const shown =
    on === null
      ? null
      : await showPullRequest(parts, work, { target, on, pushed, pull, text, draft, partial });
  return { branch: pushed.branch, commit: pushed.commit, url: shown?.url ?? null, ...text };
};
