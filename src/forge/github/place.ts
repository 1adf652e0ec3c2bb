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
