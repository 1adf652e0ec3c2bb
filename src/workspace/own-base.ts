import type { EngineGit } from "./engine-git.ts";

/**
 * The newest commit before `base` that the repository has of its own: the base itself where one of its branches leads
 * there, else where the base's history has left the default branch, as that of a pull request from another repository
 * has; null when they have nothing in common. `gitDir` is the mirror's.
 */
export const ownBase = async (
  git: EngineGit,
  { gitDir, base, defaultBranch }: { gitDir: string; base: string; defaultBranch: string | undefined },
): Promise<string | null> => {
  const main = defaultBranch === undefined ? null : `refs/heads/${defaultBranch}`;
  const ofMain = main === null ? null : await mergeBase(git, { gitDir, base, main });
  if (ofMain === base) return base;
  const args = ["for-each-ref", "--contains", base, "--count=1", "--format=%(refname)", "refs/heads"];
  return (await git.text({ args, gitDir })) === "" ? ofMain : base;
};

const mergeBase = async (
  git: EngineGit,
  { gitDir, base, main }: { gitDir: string; base: string; main: string },
): Promise<string | null> => {
  const args = ["merge-base", base, main];
  const { exitCode, stdout } = await git.run({ args, gitDir });
  return exitCode === 0 ? stdout.toString("latin1").trim() : null;
};
