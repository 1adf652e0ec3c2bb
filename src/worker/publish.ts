import { pinnedIn } from "../thread/pinned.ts";
import type { PartialWork, Publication, Published, Publisher } from "../thread/publisher.ts";
import { publishFollowUp } from "./publish/follow-up.ts";
import { publishOwn, publishStopped } from "./publish/own.ts";
import { type PublisherParts, targetOf } from "./publish/parts.ts";
import { publishReview } from "./publish/review.ts";

/**
 * Pushes the thread's tree to its branch and opens or updates the pull request; goes on with the pull request that the
 * thread works on, or beside it when the thread is a fork; or writes a review. A repeated call finds the same branch, commit, pull request, answers and review. Throws
 * `publish-output-invalid`, `nothing-changed`, `protected-path`, `permission-lost` (fix-input), the signal's reason, what
 * `confirm` throws, and what git and the forge throw.
 */
export const publisher = (parts: PublisherParts): Publisher => ({
  publish: (publication) => publish(parts, publication),
  publishPartial: (work) => publishPartial(parts, work),
});

const publish = async (parts: PublisherParts, publication: Publication): Promise<Published> => {
  const target = await targetOf(parts, publication);
  const { on, source } = target;
  if (publication.kind === "review") return publishReview(parts, publication, target);
  const { pullRequest } = source;
  if (on === null || pullRequest === undefined) return publishOwn(parts, publication, target);
  if ((await parts.store.link(publication.thread, "fork")) === undefined)
    return publishFollowUp(parts, publication, { target, on, pullRequest });
  // What it was forked from has the pull request's branch: a fork's work goes beside it, to where that goes.
  const { base } = await on.forge.pullRequest(pullRequest.number);
  return publishOwn(parts, publication, { ...target, source: { ...source, defaultBranch: base } });
};

/** Work on a pull request that is there already is not shown half-done in it. */
const publishPartial = async (parts: PublisherParts, work: PartialWork): Promise<Published | null> => {
  const { start } = work.history;
  if (start.source === null || start.source.forge === "local" || start.source.pullRequest !== undefined)
    return null;
  const { roles } = await pinnedIn(parts.store).workflow(start.workflow);
  if (!Object.values(roles).some((role) => role.publish === "pull-request")) return null;
  const { files } = await parts.store.load("workspace", work.workspace);
  return files.length === 0 ? null : publishStopped(parts, work, await targetOf(parts, work));
};
