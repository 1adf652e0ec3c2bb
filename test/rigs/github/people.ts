import { type Api, apiAs, at } from "./api.ts";
import { ownerLogin } from "./introduce.ts";
import { type PeopleWithPulls, peopleWithPulls } from "./people-pulls.ts";
import { type PeopleWithReviews, peopleWithReviews } from "./people-reviews.ts";
import type { Reviews } from "./reviews/reviews.ts";
import type { RigState } from "./rule.ts";

type RigIssue = { number: number; id: number; url: string };
export type RigComment = { id: number; body: string; author: string; url: string };
type RigCheck = {
  name: string;
  status: string;
  conclusion: string | null;
  thread: string;
  summary: string;
};

/** What people do on the forge, and what they see there. */
export type People = PeopleWithPulls & PeopleWithReviews & PeopleWithIssues;

export type PeopleWithIssues = {
  openIssue(repository: string, issue: { title: string; body: string; author: string }): Promise<RigIssue>;
  /** On an issue or a pull request. */
  label(repository: string, issue: number, label: string, by: string): Promise<void>;
  unlabel(repository: string, issue: number, label: string, by: string): Promise<void>;
  /** On an issue or a pull request. */
  comment(repository: string, issue: number, comment: { body: string; author: string }): Promise<RigComment>;
  /** Sends `issue_comment.edited`, with what it was before. */
  editComment(repository: string, id: number, comment: { body: string; by: string }): Promise<void>;
  comments(repository: string, issue: number): Promise<RigComment[]>;
  /** The bot's. */
  checks(repository: string, commit: string): Promise<RigCheck[]>;
};

export const people = ({
  apiUrl,
  tokens,
  state,
  reviews,
}: {
  apiUrl: string;
  tokens: ReadonlyMap<string, string>;
  state: RigState;
  reviews: Reviews;
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
  const acting = { as, look };
  return {
    ...peopleWithPulls(acting, state),
    ...peopleWithReviews(acting, reviews),
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
    unlabel: async (repository, issue, label, by) => {
      const name = encodeURIComponent(label);
      await as(by)("DELETE", `/repos/${repository}/issues/${issue}/labels/${name}`);
    },
    comment: async (repository, issue, { body, author }) =>
      commentOf(await as(author)("POST", `/repos/${repository}/issues/${issue}/comments`, { body })),
    editComment: async (repository, id, { body, by }) => {
      await as(by)("PATCH", `/repos/${repository}/issues/comments/${id}`, { body });
    },
    comments: async (repository, issue) =>
      (await look(repository, `issues/${issue}/comments?per_page=100`)).map(commentOf),
    checks: async (repository, commit) => {
      const path = `/repos/${repository}/commits/${commit}/check-runs?filter=all`;
      const runs = at(await as(ownerLogin(repository))("GET", path), "check_runs");
      return (Array.isArray(runs) ? runs : []).map(checkOf).filter(({ thread }) => thread !== "");
    },
  };
};

const commentOf = (data: unknown): RigComment => ({
  id: Number(at(data, "id")),
  body: String(at(data, "body")),
  author: String(at(data, "user", "login")),
  url: String(at(data, "html_url")),
});

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
