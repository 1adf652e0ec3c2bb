import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { git, gitBytes } from "./git.ts";

/** A repository on the rig's disk, which git over HTTP serves. */
export type BareRepository = {
  fullName: string;
  directory: string;
  /** Branch name → commit. */
  branches(): Promise<Map<string, string>>;
  git(...args: string[]): Promise<string>;
};

const SEED_DATE = "2026-01-05T09:00:00+00:00";

/** Makes `<root>/<owner>/<name>.git` with one commit that holds the files below `from`, always the same one. */
export const createBareRepository = async (
  root: string,
  { fullName, from }: { fullName: string; from: string },
): Promise<BareRepository> => {
  const directory = join(root, `${fullName}.git`);
  await mkdir(directory, { recursive: true });
  await git(["init", "--quiet", "--bare", "--initial-branch=main", directory]);
  const seed = ["--git-dir", directory, "--work-tree", from];
  await git([...seed, "add", "--all"]);
  const who = { NAME: "Ada Example", EMAIL: "ada@example.com", DATE: SEED_DATE };
  const env = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    ),
  );
  await git([...seed, "commit", "--quiet", "--message", "Start the project"], { env });
  return bareRepository(directory, fullName);
};

const bareRepository = (directory: string, fullName: string): BareRepository => {
  const run = (...args: string[]) => git(["--git-dir", directory, ...args]);
  return {
    fullName,
    directory,
    git: run,
    branches: async () => {
      const lines = await run("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads");
      return new Map(
        lines
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => [line.slice(41), line.slice(0, 40)]),
      );
    },
  };
};

/** The bytes of a blob. */
export const blobOf = ({ directory }: BareRepository, sha: string): Promise<Buffer> =>
  gitBytes(["--git-dir", directory, "cat-file", "blob", sha]);
