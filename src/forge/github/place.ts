import { inputError } from "../../base/errors.ts";
import type { Octokit } from "./github-app.ts";

/** One repository, with a client that may work on it. */
export type Place = {
  octokit: Octokit;
  owner: string;
  repo: string;
  /** `owner/repo`. */
  fullName: string;
};

/** The part of a place that goes into requests. */
export const inside = ({ owner, repo }: Place): { owner: string; repo: string } => ({ owner, repo });

/** Throws `forge-repository` (fix-input) for what is no `owner/name`. */
export const repositoryAt = (repository: string): Pick<Place, "owner" | "repo"> => {
  const [owner, repo, ...rest] = repository.split("/");
  if (owner && repo && rest.length === 0) return { owner, repo };
  throw inputError("forge-repository", `${repository} is no repository on GitHub`, "Write owner/name.");
};
