import { pinnedIn } from "../../thread/pinned.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import { pushBranch } from "./branch.ts";
import { prepareCommit } from "./commit.ts";
import { type PublisherParts, targetOf } from "./parts.ts";

/**
 * Puts what a finished thread has made of a plain repository on a branch, where its workflow has no role that publishes: else
 * nobody would see it. Answers the branch; null when nothing was changed, or the repository is on a forge. Throws
 * `protected-path`, `branches-taken` (fix-input), and what git throws.
 */
export const publishLeft = async (parts: PublisherParts, work: PublishedWork): Promise<string | null> => {
  const { source, workflow } = work.history.start;
  if (source?.forge !== "local") return null;
  const { roles } = await pinnedIn(parts.store).workflow(workflow);
  if (Object.values(roles).some(({ publish }) => publish !== null)) return null;
  const captured = await parts.store.load("workspace", work.workspace);
  if (captured.files.length === 0) return null;
  const target = await targetOf(parts, work);
  const prepared = await prepareCommit(target, work, { title: source.issue.title, closes: null });
  const { pushed } = await pushBranch(parts, work, { target, prepared });
  return pushed.branch;
};
