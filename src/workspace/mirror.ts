import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AppError, inputError } from "../base/errors.ts";
import type { Store } from "../store/store.ts";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { exists } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Layout } from "./layout.ts";
import { withDirectoryLock } from "./mirror-lock.ts";
import { checkedUrl } from "./repository-url.ts";
import type { Remote } from "./workspace.ts";

export type MirrorParts = {
  git: EngineGit;
  store: Pick<Store, "lease" | "release">;
  layout: Layout;
  remoteFor: (repository: string) => Promise<Remote>;
};

/** A bare copy of a repository that every thread reads and none writes. Nothing is ever pruned from it. */
export type Mirror = {
  repository: string;
  directory: string;
  objects: string;
  remote: Remote;
};

export type Fetched = { commit: string; tree: string; branch: string };

const NETWORK_MS = 30 * 60_000;

/** Where the repository's mirror is, or will be. Throws `repository-invalid`. */
export const mirrorOf = async (repository: string, { layout, remoteFor }: MirrorParts): Promise<Mirror> => {
  const remote = await remoteFor(repository);
  const directory = layout.mirror(await identityOf(checkedUrl(remote.url)));
  return { repository, directory, objects: join(directory, "objects"), remote };
};

/** One name for a local repository, whichever way it is reached. */
const identityOf = async (url: string): Promise<string> =>
  url.startsWith("/") ? realpath(url).catch(() => url) : url;

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
  await fetchAll(mirror, { format: tip.commit, signal, ...parts });
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
  await fetchAll(mirror, { format: commit, signal, ...parts });
  if (await hasCommit(mirror, commit, parts.git)) return;
  await parts.git.run({
    args: ["fetch", "--quiet", "--no-write-fetch-head", "--end-of-options", mirror.remote.url, commit],
    gitDir: mirror.directory,
    remote: mirror.remote,
    timeoutMs: NETWORK_MS,
    signal,
  });
  if (await hasCommit(mirror, commit, parts.git)) return;
  throw inputError("commit-missing", `${mirror.repository} has no commit ${commit} any more.`);
};

const askTip = async (
  mirror: Mirror,
  { branch, signal, git }: { branch: string | null; signal: AbortSignal; git: EngineGit },
): Promise<{ commit: string; branch: string }> => {
  if (branch !== null) await checkBranchName(branch, git);
  const listed = await git.text({
    args: ["ls-remote", "--symref", "--end-of-options", mirror.remote.url, "HEAD", ...refsOf(branch)],
    remote: mirror.remote,
    timeoutMs: NETWORK_MS,
    signal,
  });
  const name = branch ?? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  const tip = name === undefined ? undefined : tipIn(listed, `refs/heads/${name}`);
  if (name !== undefined && tip !== undefined) return { branch: name, commit: tip };
  const head = tipIn(listed, "HEAD");
  if (name !== undefined && branch === null && head !== undefined) return { branch: name, commit: head };
  throw await whyNoTip(mirror, { branch: name ?? null, head, signal, git });
};

const refsOf = (branch: string | null): string[] => (branch === null ? [] : [`refs/heads/${branch}`]);

const tipIn = (listed: string, ref: string): string | undefined =>
  listed
    .split("\n")
    .map((line) => line.split("\t"))
    .find(([object, name]) => name === ref && /^[0-9a-f]+$/.test(object ?? ""))?.[0];

const whyNoTip = async (
  mirror: Mirror,
  {
    branch,
    head,
    signal,
    git,
  }: { branch: string | null; head: string | undefined; signal: AbortSignal; git: EngineGit },
): Promise<AppError> => {
  const heads = await git.text({
    args: ["ls-remote", "--heads", "--end-of-options", mirror.remote.url],
    remote: mirror.remote,
    signal,
  });
  if (heads === "")
    return inputError(
      "repository-empty",
      `${mirror.repository} has no commit yet.`,
      "Push a first commit to it.",
    );
  if (branch !== null) return branchMissing(mirror, branch);
  return inputError(
    "branch-missing",
    `${mirror.repository} has no default branch${head === undefined ? "" : ": its HEAD is a bare commit"}.`,
    "Name the branch to work on.",
  );
};

const branchMissing = (mirror: Mirror, branch: string): AppError =>
  inputError("branch-missing", `${mirror.repository} has no branch ${branch}.`, "Check the branch's name.");

/** Throws `branch-invalid` (fix-input). */
export const checkBranchName = async (branch: string, git: EngineGit): Promise<void> => {
  const { exitCode } = await git.run({ args: ["check-ref-format", `refs/heads/${branch}`] });
  if (exitCode !== 0 || branch.startsWith("-"))
    throw inputError("branch-invalid", `${JSON.stringify(branch)} is not a branch's name.`);
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

const fetchAll = (
  mirror: Mirror,
  { format, signal, git, store }: MirrorParts & { format: string; signal: AbortSignal },
): Promise<void> =>
  withDirectoryLock(store, mirror.directory, {
    signal,
    work: async () => {
      if (!(await exists(join(mirror.directory, "HEAD"))))
        await makeRepository(mirror.directory, {
          format: formatOf(format),
          head: "ref: refs/heads/uwf-none",
          alternates: [],
          config: ["bare = true", "sharedRepository = 0644"],
        });
      await git.text({
        args: [
          ...["fetch", "--quiet", "--prune", "--no-write-fetch-head", "--end-of-options", mirror.remote.url],
          "+refs/heads/*:refs/heads/*",
        ],
        gitDir: mirror.directory,
        remote: mirror.remote,
        timeoutMs: NETWORK_MS,
        signal,
      });
    },
  });
