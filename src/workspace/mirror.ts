import { inputError } from "../base/errors.ts";
import { exists } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import { fetchAll, fetchCommit } from "./mirror-fetch.ts";
import type { Mirror, MirrorParts } from "./mirror-place.ts";
import { askPullTip, askTip, branchMissing, pullMissing, pullRef } from "./mirror-tip.ts";

export type Fetched = { commit: string; tree: string; branch: string };

/**
 * Brings the mirror up to date with the source, when the branch has moved since. Throws `repository-missing`,
 * `repository-empty`, `branch-missing` (fix-input), `repository-denied` (fix-config), `repository-unavailable` (retry).
 */
export const fetchBranch = async (
  mirror: Mirror,
  { branch, signal, ...parts }: MirrorParts & { branch: string | null; signal: AbortSignal },
): Promise<Fetched> => {
  const tip = await askTip(mirror, { ...parts, branch, signal });
  const known = await fetchedTip(mirror, tip.branch, parts.git);
  if (known?.commit === tip.commit) return known;
  await fetchAll(mirror, { ...parts, object: tip.commit, signal, wanted: [`refs/heads/${tip.branch}`] });
  const fetched = await fetchedTip(mirror, tip.branch, parts.git);
  if (fetched === undefined) throw branchMissing(mirror, tip.branch);
  return fetched;
};

/**
 * Brings the mirror up to date with a pull request, whichever repository its branch is in; `branch` is the default one's name.
 * Throws `pull-request-missing` (fix-input), and what `fetchBranch` throws.
 */
export const fetchPullRequest = async (
  mirror: Mirror,
  { pullRequest, signal, ...parts }: MirrorParts & { pullRequest: number; signal: AbortSignal },
): Promise<Fetched> => {
  const { commit, branch } = await askPullTip(mirror, { ...parts, pullRequest, signal });
  const ref = pullRef(pullRequest);
  const known = await fetchedRef(mirror, ref, parts.git);
  if (known?.commit === commit) return { ...known, branch };
  await fetchAll(mirror, { ...parts, object: commit, signal, wanted: [ref, `refs/heads/${branch}`] });
  const fetched = await fetchedRef(mirror, ref, parts.git);
  if (fetched === undefined) throw pullMissing(mirror, pullRequest);
  return { ...fetched, branch };
};

/** Makes sure that the mirror has a commit, fetching it when it has not. Throws `commit-missing` (fix-input). */
export const requireCommit = async (
  mirror: Mirror,
  { commit, signal, ...parts }: MirrorParts & { commit: string; signal: AbortSignal },
): Promise<void> => {
  if (await hasCommit(mirror, commit, parts.git)) return;
  await fetchAll(mirror, { ...parts, object: commit, signal, wanted: [] });
  if (await hasCommit(mirror, commit, parts.git)) return;
  const came = await fetchCommit(mirror, commit, { ...parts, signal });
  if (came && (await hasCommit(mirror, commit, parts.git))) return;
  throw inputError("commit-missing", `${mirror.repository} has no commit ${commit} any more.`);
};

const fetchedTip = async (mirror: Mirror, branch: string, git: EngineGit): Promise<Fetched | undefined> => {
  const fetched = await fetchedRef(mirror, `refs/heads/${branch}`, git);
  return fetched === undefined ? undefined : { ...fetched, branch };
};

/** What the mirror has; a ref gets there only with everything that it needs. */
const fetchedRef = async (
  mirror: Mirror,
  ref: string,
  git: EngineGit,
): Promise<Omit<Fetched, "branch"> | undefined> => {
  if (!(await exists(mirror.directory))) return undefined;
  const { exitCode, stdout } = await git.run({
    args: ["rev-parse", `${ref}^{commit}`, `${ref}^{tree}`],
    gitDir: mirror.directory,
  });
  const [commit, tree] = stdout.toString("utf8").trim().split("\n");
  return exitCode === 0 && commit !== undefined && tree !== undefined ? { commit, tree } : undefined;
};

const hasCommit = async (mirror: Mirror, commit: string, git: EngineGit): Promise<boolean> => {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    throw inputError("commit-invalid", `${commit} is not a commit.`);
  if (!(await exists(mirror.directory))) return false;
  const args = ["cat-file", "-e", `${commit}^{commit}`];
  return (await git.run({ args, gitDir: mirror.directory })).exitCode === 0;
};
