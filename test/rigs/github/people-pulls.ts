import type { Acting } from "./acting.ts";
import { at } from "./api.ts";
import type { RigState } from "./rule.ts";

export type RigPullRequest = {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: string;
  merged: boolean;
  author: string;
  head: { branch: string; commit: string };
  base: string;
  reviewers: string[];
  labels: string[];
  url: string;
};

/** What people do with branches and pull requests. */
export type PeopleWithPulls = {
  pullRequests(repository: string): Promise<RigPullRequest[]>;
  /** Begins at the tip of `from`; default: `main`. */
  createBranch(repository: string, branch: { name: string; from?: string; by: string }): Promise<void>;
  /** Closes its pull request, as GitHub does. */
  deleteBranch(repository: string, branch: { name: string; by: string }): Promise<void>;
  /** Commits a file to a branch by the API, new or changed. The branch's open pull request follows, with `synchronize`. */
  writeFile(
    repository: string,
    file: { path: string; content: string; branch: string; by: string },
  ): Promise<void>;
  /**
   * From a branch that is there and differs from `base` (default: `main`). With `fork` (`owner/name`) the branch moves out of this
   * repository, and only `refs/pull/<n>/head` stays, as with one from a fork; null: the fork is gone.
   */
  openPullRequest(
    repository: string,
    pull: {
      branch: string;
      base?: string;
      title: string;
      body: string;
      author: string;
      fork?: string | null;
    },
  ): Promise<RigPullRequest>;
  closePullRequest(repository: string, number: number, by: string): Promise<void>;
  /** Closes the issues that its body closes, too. */
  mergePullRequest(repository: string, number: number, by: string): Promise<void>;
};

export const peopleWithPulls = (
  { as, look }: Acting,
  { repositories, forks }: Pick<RigState, "repositories" | "forks">,
): PeopleWithPulls => ({
  pullRequests: async (repository) =>
    (await look(repository, "pulls?state=all&per_page=100")).map(pullRequestOf),
  createBranch: async (repository, { name, from = "main", by }) => {
    const sha = (await repositories.get(repository)?.branches())?.get(from);
    await as(by)("POST", `/repos/${repository}/git/refs`, { ref: `refs/heads/${name}`, sha });
  },
  deleteBranch: async (repository, { name, by }) => {
    await as(by)("DELETE", `/repos/${repository}/git/refs/heads/${name}`);
  },
  writeFile: async (repository, { path, content, branch, by }) => {
    const where = `/repos/${repository}/contents/${path}`;
    const there = await as(by)("GET", `${where}?ref=${encodeURIComponent(branch)}`).catch(() => undefined);
    const sha = at(there, "sha");
    await as(by)("PUT", where, {
      message: `Write ${path}`,
      branch,
      content: Buffer.from(content).toString("base64"),
      ...(sha === undefined ? {} : { sha }),
    });
  },
  openPullRequest: async (repository, { branch, base = "main", title, body, author, fork }) => {
    const request = { head: branch, base, title, body };
    const made = await as(author)("POST", `/repos/${repository}/pulls`, request);
    if (fork !== undefined) {
      forks.set(`${repository}#${at(made, "number")}`, fork);
      await as(author)("DELETE", `/repos/${repository}/git/refs/heads/${branch}`);
    }
    return pullRequestOf(made);
  },
  closePullRequest: async (repository, number, by) => {
    await as(by)("PATCH", `/repos/${repository}/pulls/${number}`, { state: "closed" });
  },
  mergePullRequest: async (repository, number, by) => {
    await as(by)("PUT", `/repos/${repository}/pulls/${number}/merge`, {});
  },
});

const pullRequestOf = (data: unknown): RigPullRequest => ({
  number: Number(at(data, "number")),
  title: String(at(data, "title")),
  body: String(at(data, "body") ?? ""),
  draft: at(data, "draft") === true,
  state: String(at(data, "state")),
  merged: at(data, "merged_at") !== null,
  author: String(at(data, "user", "login")),
  head: { branch: String(at(data, "head", "ref")), commit: String(at(data, "head", "sha")) },
  base: String(at(data, "base", "ref")),
  reviewers: namesIn(at(data, "requested_reviewers"), "login"),
  labels: namesIn(at(data, "labels"), "name"),
  url: String(at(data, "html_url")),
});

const namesIn = (list: unknown, key: string): string[] =>
  (Array.isArray(list) ? list : []).map((each) => String(at(each, key)));
