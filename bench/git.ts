import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs git with nobody's configuration but the repository's. */
export const git = async (args: readonly string[]): Promise<void> => {
  await promisify(execFile)("git", args, {
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
};
