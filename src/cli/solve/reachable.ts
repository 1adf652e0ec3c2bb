import { AppError, inputError } from "../../base/errors.ts";
import { engineGit } from "../../workspace/engine-git.ts";
import type { Context } from "../context.ts";

const ANSWER_MS = 30_000;

/**
 * Asks a repository behind an address whether it is there, before anything is created for it. Throws
 * `repository-unreachable` and what git's answer means otherwise (`repository-missing`, `repository-denied`).
 */
export const requireReachable = async (repository: string, { env }: Pick<Context, "env">): Promise<void> => {
  if (repository.startsWith("/")) return;
  const remote = { url: repository, token: null };
  const args = ["ls-remote", "--end-of-options", repository, "HEAD"];
  try {
    await engineGit({ env }).text({ args, remote, timeoutMs: ANSWER_MS });
  } catch (error) {
    if (!(error instanceof AppError) || error.remedy !== "retry") throw error;
    throw inputError(
      "repository-unreachable",
      error.message,
      "Check the address, and that this machine can reach it.",
    );
  }
};
