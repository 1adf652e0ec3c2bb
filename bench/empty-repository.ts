import { git } from "./git.ts";

/** A repository with one commit that has no file. */
export const emptyRepository = async (directory: string): Promise<void> => {
  await git(["init", "--quiet", "--initial-branch=main", directory]);
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
  await git(["-C", directory, ...identity, "commit", "--quiet", "--allow-empty", "--message", "Begin"]);
};
