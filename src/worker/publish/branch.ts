import { AppError, inputError } from "../../base/errors.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { commitKey } from "../../forge/keys.ts";
import { branchName } from "../../forge/text/branch-name.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import type { PushResult } from "../../workspace/workspace.ts";
import { type Prepared, pushTo } from "./commit.ts";
import type { PublisherParts, Target } from "./parts.ts";

/** Branches of one repository that may be tried for one issue, before somebody has to clean up. */
const MAX_BRANCHES = 20;

/** `pull`: the open pull request that the branch has already. */
export type OnBranch = { pushed: PushResult; pull: PullRequest | undefined };

/**
 * Pushes to the thread's branch, or to a new one of its own: what people have merged or closed is done with, and another
 * thread's work on the same issue, or somebody's own, stays as it is. Throws `branches-taken` (fix-input), and what git and
 * the forge throw.
 */
export const pushBranch = async (
  parts: PublisherParts,
  work: PublishedWork,
  { target, prepared }: { target: Target; prepared: Prepared },
): Promise<OnBranch> => {
  const { source, on, settings } = target;
  const prefix = settings.branchPrefix;
  const known = await parts.store.link(work.thread, "branch");
  const wanted = branchName(source.issue, { prefix });
  const names = new Set([
    ...(known === undefined ? [] : [known]),
    wanted,
    ...Array.from({ length: MAX_BRANCHES - 1 }, (_, index) => `${wanted}-${index + 2}`),
  ]);
  for (const branch of names) {
    work.signal.throwIfAborted();
    const pull = await on?.forge.findPullRequest(branch);
    if (pull?.state === "closed") continue;
    try {
      const pushed = await pushTo(parts, work, { prepared, branch, prefix });
      if (on !== null) await parts.store.setLink(work.thread, "commit", commitKey(on.place, pushed.commit));
      return { pushed, pull };
    } catch (error) {
      if (branch === known || !isTaken(error)) throw error;
    }
  }
  throw inputError(
    "branches-taken",
    `${wanted} and ${MAX_BRANCHES - 1} more branches of that name are in use or done with.`,
    "Delete those that nobody needs.",
  );
};

const isTaken = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "branch-moved" || error.code === "branch-default");
