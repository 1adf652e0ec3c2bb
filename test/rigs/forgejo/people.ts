import { at } from "../github/api.ts";
import type { Acting } from "./acting.ts";
import { type PeopleWithPulls, peopleWithPulls } from "./people-pulls.ts";
import { type PeopleWithReviews, peopleWithReviews } from "./people-reviews.ts";
import { newestOf } from "./routes/statuses.ts";

type RigIssue = { number: number; id: number; url: string };
export type RigComment = { id: number; body: string; author: string; url: string };

/** What people do on the forge, and what they see there. */
export type People = PeopleWithIssues & PeopleWithPulls & PeopleWithReviews;

export type PeopleWithIssues = {
  openIssue(
    repository: string,
    issue: { title: string; body: string; author: string; labels?: readonly string[] },
  ): Promise<RigIssue>;
  /** On an issue or a pull request. A label that the repository does not have yet is made. */
  label(repository: string, issue: number, label: string, by: string): Promise<void>;
  unlabel(repository: string, issue: number, label: string, by: string): Promise<void>;
  clearLabels(repository: string, issue: number, by: string): Promise<void>;
  comment(repository: string, issue: number, comment: { body: string; author: string }): Promise<RigComment>;
  editComment(repository: string, id: number, comment: { body: string; by: string }): Promise<void>;
  comments(repository: string, issue: number): Promise<RigComment[]>;
  closeIssue(repository: string, issue: number, by: string): Promise<void>;
  /** The newest status of each context. */
  statuses(
    repository: string,
    commit: string,
  ): { context: string; state: string; description: string; url: string; by: string }[];
  /** Of `issues/<n>` or `issues/comments/<id>`. */
  reactions(repository: string, subject: string): { content: string; user: { login: string } }[];
};

export const people = (acting: Acting): People => {
  const { as, repository: repositoryOf } = acting;
  const needLabel = async (fullName: string, name: string): Promise<void> => {
    const { labels, owner } = repositoryOf(fullName);
    if (labels.some((label) => label.name === name)) return;
    await as(`${owner.login}-owner`)("POST", `/repos/${fullName}/labels`, { name, color: "1d76db" });
  };
  return {
    ...peopleWithPulls(acting),
    ...peopleWithReviews(acting),
    openIssue: async (repository, { author, labels = [], ...issue }) => {
      for (const label of labels) await needLabel(repository, label);
      const made = await as(author)("POST", `/repos/${repository}/issues`, { ...issue, labels });
      return {
        number: Number(at(made, "number")),
        id: Number(at(made, "id")),
        url: String(at(made, "html_url")),
      };
    },
    label: async (repository, issue, label, by) => {
      await needLabel(repository, label);
      await as(by)("POST", `/repos/${repository}/issues/${issue}/labels`, { labels: [label] });
    },
    unlabel: async (repository, issue, label, by) => {
      const name = encodeURIComponent(label);
      await as(by)("DELETE", `/repos/${repository}/issues/${issue}/labels/${name}`);
    },
    clearLabels: async (repository, issue, by) => {
      await as(by)("DELETE", `/repos/${repository}/issues/${issue}/labels`);
    },
    comment: async (repository, issue, { body, author }) =>
      commentOf(await as(author)("POST", `/repos/${repository}/issues/${issue}/comments`, { body })),
    editComment: async (repository, id, { body, by }) => {
      await as(by)("PATCH", `/repos/${repository}/issues/comments/${id}`, { body });
    },
    comments: async (repository, issue) => {
      const owner = `${repositoryOf(repository).owner.login}-owner`;
      const list = await as(owner)("GET", `/repos/${repository}/issues/${issue}/comments`);
      return (Array.isArray(list) ? list : []).map(commentOf);
    },
    closeIssue: async (repository, issue, by) => {
      await as(by)("PATCH", `/repos/${repository}/issues/${issue}`, { state: "closed" });
    },
    statuses: (repository, commit) =>
      newestOf(repositoryOf(repository).statuses, commit).map(
        ({ context, state, description, url, author }) => ({
          ...{ context, state, description, url },
          by: author.login,
        }),
      ),
    reactions: (repository, subject) => {
      const [kind, id] = [subject.startsWith("issues/comments/"), Number(subject.split("/").at(-1))];
      const items = [...repositoryOf(repository).items.values()];
      const found = kind
        ? items.flatMap(({ comments }) => comments).find((comment) => comment.id === id)
        : items.find(({ number }) => number === id);
      return (found?.reactions ?? []).map(({ content, by }) => ({ content, user: { login: by.login } }));
    },
  };
};

const commentOf = (data: unknown): RigComment => ({
  id: Number(at(data, "id")),
  body: String(at(data, "body")),
  author: String(at(data, "user", "login")),
  url: String(at(data, "html_url")),
});
