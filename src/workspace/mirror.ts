import { inputError } from "../base/errors.ts";
import { exists } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import { fetchAll, fetchCommit } from "./mirror-fetch.ts";
import type { Mirror, MirrorParts } from "./mirror-place.ts";
import { askTip, branchMissing } from "./mirror-tip.ts";

export type Fetched = { commit: string; tree: string; branch: string };

/**
 * Brings the mirror up to date with the source, when the branch has moved since. Throws `repository-missing`,
 * `repository-empty`, `branch-missing` (fix-input), `repository-denied` (fix-config), `repository-unavailable` (retry).
 */
export const fetchBranch = async (
  mirror: Mirror,
  { branch, signal, ...parts }: MirrorParts & { branch: string | null; signal: AbortSignal },
): Promise<Fetched> => {
  const tip = await askTip(mirror, { branch, signal, git: parts.git });
  const known = await fetchedTip(mirror, tip.branch, parts.git);
  if (known?.commit === tip.commit) return known;
  await fetchAll(mirror, { ...parts, object: tip.commit, signal });
  const fetched = await fetchedTip(mirror, tip.branch, parts.git);
  if (fetched === undefined) throw branchMissing(mirror, tip.branch);
  return fetched;
};

/** Makes sure that the mirror has a commit, fetching it when it has not. Throws `commit-missing` (fix-input). */
export const requireCommit = async (
  mirror: Mirror,
  { commit, signal, ...parts }: MirrorParts & { commit: string; signal: AbortSignal },
): Promise<void> => {
  if (await hasCommit(mirror, commit, parts.git)) return;
  await fetchAll(mirror, { ...parts, object: commit, signal });
  if (await hasCommit(mirror, commit, parts.git)) return;
  const came = await fetchCommit(mirror, commit, { signal, git: parts.git });
  if (came && (await hasCommit(mirror, commit, parts.git))) return;
  throw inputError("commit-missing", `${mirror.repository} has no commit ${commit} any more.`);
};

/** What the mirror has; a branch gets there only with everything that it needs. */
const fetchedTip = async (mirror: Mirror, branch: string, git: EngineGit): Promise<Fetched | undefined> => {
  if (!(await exists(mirror.directory))) return undefined;
  const { exitCode, stdout } = await git.run({
    args: ["rev-parse", `refs/heads/${branch}^{commit}`, `refs/heads/${branch}^{tree}`],
    gitDir: mirror.directory,
  });
  const [commit, tree] = stdout.toString("utf8").trim().split("\n");
  return exitCode === 0 && commit !== undefined && tree !== undefined ? { commit, tree, branch } : undefined;
};

const hasCommit = async (mirror: Mirror, commit: string, git: EngineGit): Promise<boolean> => {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    throw inputError("commit-invalid", `${commit} is not a commit.`);
  if (!(await exists(mirror.directory))) return false;
  const args = ["cat-file", "-e", `${commit}^{commit}`];
  return (await git.run({ args, gitDir: mirror.directory })).exitCode === 0;
};
