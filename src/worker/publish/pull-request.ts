import type { PullRequest } from "../../forge/forge.ts";
import { subjectOf } from "../../forge/keys.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import type { OnBranch } from "./branch.ts";
import type { OnForge, PublisherParts, Target } from "./parts.ts";
import { fingerprintsOf, type PullLink, type PullRequestText, pullLinkOf, unedited } from "./written.ts";

type Shown = OnBranch & {
  text: PullRequestText;
  draft: boolean;
  /** The work stopped half-way. */
  partial: boolean;
};

/**
 * Opens the pull request of a pushed branch, or brings the open one up to date: what people have edited in it stays, and a
 * draft is made ready when the work is, unless it is one for another reason.
 */
export const showPullRequest = async (
  { store }: PublisherParts,
  work: PublishedWork,
  { target, on, ...shown }: Shown & { target: Target; on: OnForge },
): Promise<Pick<PullRequest, "number" | "url">> => {
  const last = await pullLinkOf(store, work);
  work.signal.throwIfAborted();
  await work.confirm();
  const { pull } = shown;
  const link =
    pull === undefined ? await create(on, { ...shown, target }) : await update(on, { ...shown, pull, last });
  await store.setLink(work.thread, "pull-request", JSON.stringify(link));
  await store.setLink(work.thread, "pull-subject", subjectOf(on.place, link.number));
  return link;
};

const create = async (
  { forge }: OnForge,
  { text, draft, partial, pushed, target: { source, settings } }: Shown & { target: Target },
): Promise<PullLink> => {
  const requester = source.requester === null ? [] : [source.requester.login];
  const made = await forge.createPullRequest({
    ...text,
    branch: pushed.branch,
    base: source.defaultBranch,
    draft,
    reviewers: [...new Set([...requester, ...settings.reviewers])],
  });
  return linkOf(made, { partial, written: fingerprintsOf(text) });
};

const update = async (
  { forge }: OnForge,
  { text, draft, partial, pull: { number }, last }: Shown & { pull: PullRequest; last: PullLink | undefined },
): Promise<PullLink> => {
  const before = last?.number === number ? last : undefined;
  const now = await forge.pullRequest(number);
  // What was written about finished work says more than what stopped half-way since.
  const keepsText = partial && before?.partial === false;
  const change = keepsText ? {} : unedited(text, { now, written: before?.written });
  if (Object.keys(change).length > 0) await forge.updatePullRequest(number, change);
  const isReady = now.draft && before?.draft === true && !draft;
  if (isReady) await forge.setDraft(number, false);
  const draftNow = now.draft && !isReady;
  return linkOf(
    { ...now, draft: draftNow },
    { partial: partial && !keepsText, written: afterChange(change, { text, before }) },
  );
};

/** Of what was left as it is, what was written before: it stays somebody else's. */
const afterChange = (
  change: Partial<PullRequestText>,
  { text, before }: { text: PullRequestText; before: PullLink | undefined },
): NonNullable<PullLink["written"]> => {
  const ours = fingerprintsOf(text);
  const old = before?.written ?? ours;
  return {
    title: change.title === undefined ? old.title : ours.title,
    body: change.body === undefined ? old.body : ours.body,
  };
};

const linkOf = (
  { number, url, draft }: Pick<PullRequest, "number" | "url" | "draft">,
  { partial, written }: Pick<PullLink, "partial" | "written">,
): PullLink => ({ number, url, draft, partial, written });
