import { type AppError, inputError } from "../base/errors.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Mirror } from "./mirror-place.ts";
import type { RepositoryLimits } from "./repository-limits.ts";

type Question = { branch: string | null; signal: AbortSignal; git: EngineGit; limits: RepositoryLimits };
type PullQuestion = Omit<Question, "branch"> & { pullRequest: number };

/** Of what a server lists of the few refs that it is asked for. */
const MAX_BYTES = 1024 * 1024;

/** Asks the source itself for a branch's tip (null: the default branch's). */
export const askTip = async (
  mirror: Mirror,
  { branch, signal, git, limits }: Question,
): Promise<{ commit: string; branch: string }> => {
  if (branch !== null) await checkBranchName(branch, git);
  const listed = await git.text({
    args: ["ls-remote", "--symref", "--end-of-options", mirror.remote.url, "HEAD", ...refsOf(branch)],
    remote: mirror.remote,
    timeoutMs: limits.askMs,
    objectBytes: limits.objectBytes,
    maxOutputBytes: MAX_BYTES,
    signal,
  });
  const name = branch ?? defaultBranchIn(listed);
  const tip = name === undefined ? undefined : tipIn(listed, `refs/heads/${name}`);
  if (name !== undefined && tip !== undefined) return { branch: name, commit: tip };
  const head = tipIn(listed, "HEAD");
  if (name !== undefined && branch === null && head !== undefined) return { branch: name, commit: head };
  throw await whyNoTip(mirror, { branch: name ?? null, head, signal, git, limits });
};

/** Where forges keep the last commit of a pull request, whichever repository its branch is in. */
export const pullRef = (pullRequest: number): string => `refs/pull/${pullRequest}/head`;

/** Asks the source itself for a pull request's last commit, and for the name of its default branch. */
export const askPullTip = async (
  mirror: Mirror,
  { pullRequest, signal, git, limits }: PullQuestion,
): Promise<{ commit: string; branch: string }> => {
  const ref = pullRef(pullRequest);
  const listed = await git.text({
    args: ["ls-remote", "--symref", "--end-of-options", mirror.remote.url, "HEAD", ref],
    remote: mirror.remote,
    timeoutMs: limits.askMs,
    objectBytes: limits.objectBytes,
    maxOutputBytes: MAX_BYTES,
    signal,
  });
  const [commit, branch] = [tipIn(listed, ref), defaultBranchIn(listed)];
  if (commit !== undefined && branch !== undefined) return { commit, branch };
  if (commit === undefined) throw pullMissing(mirror, pullRequest);
  throw await whyNoTip(mirror, { branch: null, head: undefined, signal, git, limits });
};

export const pullMissing = (mirror: Mirror, pullRequest: number): AppError =>
  inputError(
    "pull-request-missing",
    `${mirror.repository} has no commits of a pull request #${pullRequest}.`,
    "Check the pull request's number.",
  );

const refsOf = (branch: string | null): string[] => (branch === null ? [] : [`refs/heads/${branch}`]);

/** What `ls-remote --symref` says of HEAD; undefined when that is no branch. */
export const defaultBranchIn = (listed: string): string | undefined =>
  /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];

export const tipIn = (listed: string, ref: string): string | undefined =>
  listed
    .split("\n")
    .map((line) => line.split("\t"))
    .find(([object, name]) => name === ref && /^[0-9a-f]+$/.test(object ?? ""))?.[0];

const whyNoTip = async (
  mirror: Mirror,
  { branch, head, signal, git, limits }: Question & { head: string | undefined },
): Promise<AppError> => {
  const heads = await git.text({
    args: ["ls-remote", "--heads", "--end-of-options", mirror.remote.url],
    remote: mirror.remote,
    timeoutMs: limits.askMs,
    objectBytes: limits.objectBytes,
    signal,
  });
  if (heads === "")
    return inputError(
      "repository-empty",
      `${mirror.repository} has no commit yet.`,
      "Make a first commit in it.",
    );
  if (branch !== null) return branchMissing(mirror, branch);
  return inputError(
    "branch-missing",
    `${mirror.repository} has no default branch${head === undefined ? "" : ": its HEAD is a bare commit"}.`,
    "Check out a branch in it, or set its default branch.",
  );
};

export const branchMissing = (mirror: Mirror, branch: string): AppError =>
  inputError("branch-missing", `${mirror.repository} has no branch ${branch}.`, "Check the branch's name.");

/** Throws `branch-invalid` (fix-input). */
export const checkBranchName = async (branch: string, git: EngineGit): Promise<void> => {
  const invalid = inputError("branch-invalid", `${JSON.stringify(branch)} is not a branch's name.`);
  if (branch.startsWith("-") || branch.includes("\0")) throw invalid;
  const { exitCode } = await git.run({ args: ["check-ref-format", `refs/heads/${branch}`] });
  if (exitCode !== 0) throw invalid;
};
