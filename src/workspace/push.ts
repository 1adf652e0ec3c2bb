import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { AppError, inputError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { commitIdentity, commitMessage, committerEmail, THREAD_TRAILER } from "./commit-text.ts";
import { removeTree } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import { detailsOf, gitFailure } from "./git-failure.ts";
import { checkBranchName, defaultBranchIn, tipIn } from "./mirror-tip.ts";
import { ownBase } from "./own-base.ts";
import type { PublishedTree } from "./published-tree.ts";
import { readPublishedTree } from "./read-published-tree.ts";
import { checkedUrl } from "./repository-url.ts";
import { rebuildTree } from "./restore.ts";
import type { CommitRequest, PushResult, Remote } from "./workspace.ts";

export type PushParts = {
  git: EngineGit;
  store: Pick<Store, "loadAll">;
  /** The mirror's directory, which has the base. */
  mirror: string;
  /** Where a directory may be made for the time of the call. */
  temporary: string;
};

export type PushRequest = {
  thread: ThreadId;
  captured: Payload<"workspace">;
  commit: CommitRequest;
  remote: Remote;
  /** Awaited with the very tree that is to be pushed; what it throws stops the push. */
  examine: (tree: PublishedTree) => Promise<void>;
  /** Awaited right before the push; what it throws stops it. */
  confirm?: (() => Promise<void>) | undefined;
};

type At = PushRequest & { git: EngineGit; gitDir: string; mirror: string };
type Tip = { tip: string | undefined; defaultBranch: string | undefined };

const NETWORK_MS = 15 * 60_000;

/**
 * Commits a captured tree and pushes it, never by force: on the base when the branch is new, on its tip when every
 * commit since the base is this thread's. Asked again for the same, it answers the same commit. Throws
 * `branch-invalid`, `branch-default`, `branch-moved`, `branch-gone` (fix-input), `push-refused` (fix-config), and what `fetchBranch` throws.
 */
export const pushTree = async (
  request: PushRequest,
  { git, store, mirror, temporary }: PushParts,
): Promise<PushResult> => {
  const { commit, captured, remote } = request;
  if (commit.prefix === "" || !commit.branch.startsWith(commit.prefix))
    throw inputError(
      "branch-invalid",
      `${commit.branch} cannot be pushed: the branch must begin with ${commit.prefix}.`,
    );
  await checkBranchName(commit.branch, git);
  checkedUrl(remote.url);
  const gitDir = join(temporary, randomUUID());
  try {
    await makeRepository(gitDir, {
      format: formatOf(captured.base),
      head: "ref: refs/heads/none",
      alternates: [join(mirror, "objects")],
      config: ["bare = true"],
    });
    await rebuildTree(captured, { gitDir, git, store });
    return await commitAndPush({ ...request, git, gitDir, mirror });
  } finally {
    await removeTree(gitDir);
  }
};

const commitAndPush = async (at: At): Promise<PushResult> => {
  const { branch } = at.commit;
  const asked = await askTip(at);
  const parent = await parentOf(at, asked);
  if ((await treeOf(at, parent)) === at.captured.tree) return { branch, commit: parent, changed: false };
  await at.examine(await treeToPush(at, asked));
  const commit = await at.git.text({
    args: ["commit-tree", at.captured.tree, "-p", parent, "-F", "-"],
    gitDir: at.gitDir,
    env: commitIdentity(at.commit),
    stdin: commitMessage(at.commit, at.thread),
  });
  await at.confirm?.();
  await pushCommit(at, commit);
  return { branch, commit, changed: true };
};

/** Compared with what the repository has of its own: a base from elsewhere brings its own changes with it. */
const treeToPush = async (at: At, { defaultBranch }: Tip): Promise<PublishedTree> => {
  const { git, gitDir, mirror, captured } = at;
  const own = await ownBase(git, { gitDir: mirror, base: captured.base, defaultBranch });
  const before = own ?? (await git.text({ args: ["mktree"], gitDir }));
  return readPublishedTree({ git, gitDir }, { before, after: captured.tree });
};

/** The base, or the branch's tip when there is one that may be built on. */
const parentOf = async (at: At, { tip }: Tip): Promise<string> => {
  const { captured, commit } = at;
  const isKnown = commit.onto === "existing-branch";
  if (tip === undefined) {
    if (isKnown) throw gone(commit.branch);
    return captured.base;
  }
  if (tip === captured.base) return captured.base;
  await fetchTip(at);
  // What people have taken back from a branch is not brought there again.
  if (!isKnown && (await isAncestor(at, { older: tip, newer: captured.base }))) return captured.base;
  if (await isOwn(at, tip)) return tip;
  throw moved(commit.branch);
};

/** `tip` is undefined when there is no such branch. Throws `branch-default` for the one that nobody pushes to unasked. */
const askTip = async ({ git, remote, commit: { branch } }: At): Promise<Tip> => {
  const ref = `refs/heads/${branch}`;
  const listed = await git.text({
    args: ["ls-remote", "--symref", "--end-of-options", remote.url, "HEAD", ref],
    remote,
    timeoutMs: NETWORK_MS,
  });
  const defaultBranch = defaultBranchIn(listed);
  if (defaultBranch === branch)
    throw inputError("branch-default", `${branch} is the repository's default branch: it is never pushed.`);
  return { tip: tipIn(listed, ref), defaultBranch };
};

const fetchTip = async ({ git, gitDir, remote, commit: { branch } }: At): Promise<void> => {
  const [url, refspec] = [remote.url, `refs/heads/${branch}:refs/tip`];
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options", url, refspec];
  await git.text({ args, gitDir, remote, timeoutMs: NETWORK_MS });
};

/** True when everything between the base and the tip was committed by this thread. */
const isOwn = async (at: At, tip: string): Promise<boolean> => {
  if (!(await isAncestor(at, { older: at.captured.base, newer: tip }))) return false;
  const format = `--format=%ce%x00%(trailers:key=${THREAD_TRAILER},valueonly,separator=%x2C)`;
  const log = await at.git.text({
    args: ["log", format, "--end-of-options", `${at.captured.base}..${tip}`],
    gitDir: at.gitDir,
  });
  return log.split("\n").every((line) => line === `${committerEmail(at.commit)}\0${at.thread}`);
};

const isAncestor = async (at: At, { older, newer }: { older: string; newer: string }): Promise<boolean> =>
  (await at.git.run({ args: ["merge-base", "--is-ancestor", older, newer], gitDir: at.gitDir })).exitCode ===
  0;

const treeOf = ({ git, gitDir }: At, commit: string): Promise<string> =>
  git.text({ args: ["rev-parse", "--verify", `${commit}^{tree}`], gitDir });

const pushCommit = async ({ git, gitDir, remote, commit: { branch } }: At, commit: string): Promise<void> => {
  const args = [
    "push",
    "--porcelain",
    "--no-verify",
    "--end-of-options",
    remote.url,
    `${commit}:refs/heads/${branch}`,
  ];
  const { exitCode, stdout, stderr } = await git.run({ args, gitDir, remote, timeoutMs: NETWORK_MS });
  if (exitCode === 0) return;
  const status = stdout.toString("utf8");
  if (/\[rejected\]/.test(status)) throw moved(branch);
  const refusal = /\[remote (?:rejected|failure)\] \((.*)\)/.exec(status)?.[1];
  if (refusal !== undefined)
    throw new AppError(
      `the remote refuses ${branch}: ${[refusal, detailsOf(stderr)].filter(Boolean).join("; ")}`,
      {
        code: "push-refused",
        remedy: "fix-config",
        hint: "Check the remote's branch protection, its hooks, and that the token may write contents (and workflows).",
      },
    );
  throw gitFailure({ args, exitCode, stderr, url: remote.url });
};

const moved = (branch: string): AppError =>
  inputError(
    "branch-moved",
    `${branch} has commits that this thread did not make; nothing is pushed over them.`,
    "Start a thread on the branch as it is now, or delete the branch.",
  );

const gone = (branch: string): AppError =>
  inputError("branch-gone", `${branch} is not there any more, and it is not made again.`);
