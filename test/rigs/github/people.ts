import { type Api, apiAs, at } from "./api.ts";

type RigIssue = { number: number; id: number; url: string };
export type RigComment = { id: number; body: string; author: string; url: string };
type RigPullRequest = {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: string;
  author: string;
  head: { branch: string; commit: string };
  base: string;
  reviewers: string[];
  url: string;
};
type RigCheck = {
  name: string;
  status: string;
  conclusion: string | null;
  thread: string;
  summary: string;
};

/** What people do on the forge, and what they see there. */
export type People = {
  openIssue(repository: string, issue: { title: string; body: string; author: string }): Promise<RigIssue>;
  label(repository: string, issue: number, label: string, by: string): Promise<void>;
  comment(repository: string, issue: number, comment: { body: string; author: string }): Promise<RigComment>;
  comments(repository: string, issue: number): Promise<RigComment[]>;
  pullRequests(repository: string): Promise<RigPullRequest[]>;
  closePullRequest(repository: string, number: number, by: string): Promise<void>;
  checks(repository: string, commit: string): Promise<RigCheck[]>;
  /** Puts a file on a branch by the API. */
  writeFile(
    repository: string,
    file: { path: string; content: string; branch: string; by: string },
  ): Promise<void>;
};

export const people = ({
  apiUrl,
  tokens,
  ownerLogin,
}: {
  apiUrl: string;
  tokens: ReadonlyMap<string, string>;
  ownerLogin(repository: string): string;
}): People => {
  const as = (login: string): Api => {
    const token = tokens.get(login);
    if (token === undefined) throw new Error(`the rig knows nobody called ${login}`);
    return apiAs(apiUrl, token);
  };
  const look = async (repository: string, path: string): Promise<unknown[]> => {
    const list = await as(ownerLogin(repository))("GET", `/repos/${repository}/${path}`);
    return Array.isArray(list) ? list : [];
  };
  return {
    openIssue: async (repository, { title, body, author }) => {
      const issue = await as(author)("POST", `/repos/${repository}/issues`, { title, body });
      return {
        number: Number(at(issue, "number")),
        id: Number(at(issue, "id")),
        url: String(at(issue, "html_url")),
      };
    },
    label: async (repository, issue, label, by) => {
      await as(by)("POST", `/repos/${repository}/issues/${issue}/labels`, { labels: [label] });
    },
    comment: async (repository, issue, { body, author }) =>
      commentOf(await as(author)("POST", `/repos/${repository}/issues/${issue}/comments`, { body })),
    comments: async (repository, issue) =>
      (await look(repository, `issues/${issue}/comments?per_page=100`)).map(commentOf),
    pullRequests: async (repository) =>
      (await look(repository, "pulls?state=all&per_page=100")).map(pullRequestOf),
    closePullRequest: async (repository, number, by) => {
      await as(by)("PATCH", `/repos/${repository}/pulls/${number}`, { state: "closed" });
    },
    checks: async (repository, commit) => {
      const path = `/repos/${repository}/commits/${commit}/check-runs?filter=all`;
      const runs = at(await as(ownerLogin(repository))("GET", path), "check_runs");
      return (Array.isArray(runs) ? runs : []).map(checkOf);
    },
    writeFile: async (repository, { path, content, branch, by }) => {
      await as(by)("PUT", `/repos/${repository}/contents/${path}`, {
        message: `Write ${path}`,
        branch,
        content: Buffer.from(content).toString("base64"),
      });
    },
  };
};

const commentOf = (data: unknown): RigComment => ({
  id: Number(at(data, "id")),
  body: String(at(data, "body")),
  author: String(at(data, "user", "login")),
  url: String(at(data, "html_url")),
});

const pullRequestOf = (data: unknown): RigPullRequest => {
  const reviewers = at(data, "requested_reviewers");
  return {
    number: Number(at(data, "number")),
    title: String(at(data, "title")),
    body: String(at(data, "body") ?? ""),
    draft: at(data, "draft") === true,
    state: String(at(data, "state")),
    author: String(at(data, "user", "login")),
    head: { branch: String(at(data, "head", "ref")), commit: String(at(data, "head", "sha")) },
    base: String(at(data, "base", "ref")),
    reviewers: (Array.isArray(reviewers) ? reviewers : []).map((each) => String(at(each, "login"))),
    url: String(at(data, "html_url")),
  };
};

const checkOf = (data: unknown): RigCheck => {
  const conclusion = at(data, "conclusion");
  return {
    name: String(at(data, "name")),
    status: String(at(data, "status")),
    conclusion: typeof conclusion === "string" ? conclusion : null,
    thread: String(at(data, "external_id")),
    summary: String(at(data, "output", "summary") ?? ""),
  };
};
