import { at } from "../github/api.ts";
import type { Acting } from "./acting.ts";
import type { Item } from "./world.ts";

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
  /** Oldest first. Titles are Forgejo's: a draft's begins with `WIP:`. */
  pullRequests(repository: string): Promise<RigPullRequest[]>;
  /** Begins at the tip of `from`; default: `main`. */
  createBranch(repository: string, branch: { name: string; from?: string; by: string }): Promise<void>;
  /** Commits a file to a branch by the API, new or changed. The branch's open pull request follows. */
  writeFile(
    repository: string,
    file: { path: string; content: string; branch: string; by: string },
  ): Promise<void>;
  /** With `fork` (`owner/name`) its branch is said to be there, and leaves this repository; null: the fork is gone. */
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
  editPullRequest(
    repository: string,
    number: number,
    change: { title?: string; body?: string; by: string },
  ): Promise<void>;
  closePullRequest(repository: string, number: number, by: string): Promise<void>;
  mergePullRequest(repository: string, number: number, by: string): Promise<void>;
  deleteBranch(repository: string, branch: string): Promise<void>;
};

export const peopleWithPulls = ({ world, as, repository }: Acting): PeopleWithPulls => {
  const edit = (fullName: string, number: number, change: object, by: string) =>
    as(by)("PATCH", `/repos/${fullName}/pulls/${number}`, change);
  const shown = (fullName: string, item: Item): RigPullRequest => pullRequestOf(world.origin, fullName, item);
  return {
    pullRequests: async (fullName) =>
      [...repository(fullName).items.values()]
        .filter(({ pull }) => pull !== null)
        .map((item) => shown(fullName, item)),
    createBranch: async (fullName, { name, from = "main", by }) => {
      await as(by)("POST", `/repos/${fullName}/branches`, { new_branch_name: name, old_ref_name: from });
    },
    writeFile: async (fullName, { path, content, branch, by }) => {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      await as(by)("PUT", `/repos/${fullName}/contents/${encoded}`, {
        branch,
        content: Buffer.from(content).toString("base64"),
      });
    },
    openPullRequest: async (fullName, { branch, base = "main", title, body, author, fork }) => {
      const request = { head: branch, base, title, body };
      const made = await as(author)("POST", `/repos/${fullName}/pulls`, request);
      const item = repository(fullName).items.get(Number(at(made, "number")));
      if (item?.pull == null) throw new Error("the rig made no pull request");
      if (fork !== undefined) {
        item.pull.fork = fork ?? "gone";
        await repository(fullName).bare.git("update-ref", "-d", `refs/heads/${branch}`);
      }
      return shown(fullName, item);
    },
    editPullRequest: async (fullName, number, { by, ...change }) => {
      await edit(fullName, number, change, by);
    },
    closePullRequest: async (fullName, number, by) => {
      await edit(fullName, number, { state: "closed" }, by);
    },
    mergePullRequest: async (fullName, number, by) => {
      await as(by)("POST", `/repos/${fullName}/pulls/${number}/merge`, { Do: "merge" });
    },
    deleteBranch: async (fullName, branch) => {
      await repository(fullName).bare.git("update-ref", "-d", `refs/heads/${branch}`);
    },
  };
};

const pullRequestOf = (origin: string, fullName: string, item: Item): RigPullRequest => {
  const { number, title, body, state, author, labels, pull } = item;
  if (pull === null) throw new Error(`${fullName}#${number} is no pull request`);
  const { branch, base, commit, merged, reviewers } = pull;
  return {
    ...{ number, title, body, state, base, merged, labels },
    draft: /^(wip:|\[wip\])/i.test(title),
    author: author.login,
    head: { branch, commit },
    reviewers: [...reviewers],
    url: `${origin}/${fullName}/pulls/${number}`,
  };
};
