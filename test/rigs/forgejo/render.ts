import type { Account, Comment, Item, Reaction, Repository, TimelineEntry, World } from "./world.ts";

/** What Forgejo's API and webhooks show of the rig's state, in the shapes of its API description. */

export const userOf = ({ origin }: World, { id, login }: Pick<Account, "id" | "login">) => ({
  id,
  login,
  full_name: "",
  email: `${login}@noreply.127.0.0.1`,
  avatar_url: `${origin}/avatars/${id}`,
  html_url: `${origin}/${login}`,
  is_admin: false,
  created: "2026-01-05T09:00:00Z",
});

export const repositoryOf = (world: World, { id, fullName, owner, visibility }: Repository) => ({
  id,
  owner: userOf(world, owner),
  name: fullName.split("/")[1] ?? "",
  full_name: fullName,
  private: visibility === "private",
  empty: false,
  fork: false,
  archived: false,
  html_url: `${world.origin}/${fullName}`,
  clone_url: `${world.origin}/${fullName}.git`,
  default_branch: "main",
});

const labelsOf = (repository: Repository, names: readonly string[]) =>
  names.flatMap((name) => labelOf(repository, name) ?? []);

export const labelOf = ({ labels }: Repository, name: string) => {
  const found = labels.find((label) => label.name === name);
  return found === undefined
    ? null
    : { ...found, description: "", exclusive: false, is_archived: false, url: "" };
};

export const addressOf = ({ origin }: World, { fullName }: Repository, { number, pull }: Item): string =>
  `${origin}/${fullName}/${pull === null ? "issues" : "pulls"}/${number}`;

const shared = (world: World, repository: Repository, item: Item) => ({
  id: item.id,
  url: `${world.origin}/api/v1/repos/${repository.fullName}/issues/${item.number}`,
  html_url: addressOf(world, repository, item),
  number: item.number,
  user: userOf(world, item.author),
  title: item.title,
  body: item.body,
  labels: labelsOf(repository, item.labels),
  milestone: null,
  assignee: null,
  assignees: null,
  state: item.state,
  is_locked: false,
  comments: item.comments.length,
  created_at: item.at,
  updated_at: item.updatedAt,
  closed_at: item.state === "closed" ? item.updatedAt : null,
  due_date: null,
});

export const issueOf = (world: World, repository: Repository, item: Item) => ({
  ...shared(world, repository, item),
  original_author: "",
  original_author_id: 0,
  ref: "",
  pull_request:
    item.pull === null
      ? null
      : {
          merged: item.pull.merged,
          merged_at: item.pull.merged ? item.updatedAt : null,
          draft: isDraft(item),
          html_url: addressOf(world, repository, item),
        },
});

/** `ref` is the branch only while somebody has it; `label` always. */
export const pullOf = (
  world: World,
  repository: Repository,
  item: Item,
  branches: ReadonlyMap<string, string>,
) => {
  const { pull } = item;
  if (pull === null) throw new Error(`${repository.fullName}#${item.number} is no pull request`);
  const isHere = pull.fork === null && branches.has(pull.branch);
  const here = repositoryOf(world, repository);
  const forked = { ...here, full_name: pull.fork ?? here.full_name, fork: pull.fork !== null };
  const reference =
    isHere || (pull.fork !== null && pull.fork !== "gone") ? pull.branch : `refs/pull/${item.number}/head`;
  return {
    ...shared(world, repository, item),
    draft: isDraft(item),
    merged: pull.merged,
    merged_at: pull.merged ? item.updatedAt : null,
    mergeable: item.state === "open",
    merge_base: pull.commit,
    requested_reviewers: pull.reviewers.map((login) => userOf(world, accountOf(world, login))),
    base: {
      label: pull.base,
      ref: pull.base,
      sha: branches.get(pull.base) ?? "",
      repo_id: repository.id,
      repo: here,
    },
    head: {
      label: pull.branch,
      ref: reference,
      sha: pull.commit,
      repo_id: pull.fork === "gone" ? -1 : repository.id,
      repo: pull.fork === "gone" ? null : forked,
    },
  };
};

const isDraft = ({ title }: Item): boolean => /^(wip:|\[wip\])/i.test(title);

export const commentOf = (world: World, repository: Repository, item: Item, comment: Comment) => ({
  id: comment.id,
  html_url: `${addressOf(world, repository, item)}#issuecomment-${comment.id}`,
  pull_request_url: item.pull === null ? "" : addressOf(world, repository, item),
  issue_url: item.pull === null ? addressOf(world, repository, item) : "",
  user: userOf(world, comment.author),
  original_author: "",
  original_author_id: 0,
  body: comment.body,
  assets: [],
  created_at: comment.at,
  updated_at: comment.updatedAt,
});

export const timelineOf = (world: World, repository: Repository, entry: TimelineEntry) => ({
  id: entry.id,
  type: entry.type,
  user: userOf(world, entry.author),
  body: entry.body,
  created_at: entry.at,
  updated_at: entry.at,
  label: entry.label === null ? null : labelOf(repository, entry.label),
  milestone: null,
});

export const reactionOf = (world: World, { content, by }: Reaction) => ({
  user: userOf(world, by),
  content,
  created_at: "2026-01-05T09:00:00Z",
});

export const accountOf = ({ accounts }: World, login: string): Account => {
  const account = accounts.find((each) => each.login === login);
  if (account === undefined) throw new Error(`the rig knows nobody called ${login}`);
  return account;
};
