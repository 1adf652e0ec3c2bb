import type { Author, Remote } from "../workspace/workspace.ts";

export type Permission = "admin" | "write" | "read" | "none";

export type ForgeUser = { login: string; id: number; name: string | null; email: string | null };

export type ForgeIssue = {
  number: number;
  title: string;
  body: string;
  url: string;
  author: string;
  labels: readonly string[];
  state: "open" | "closed";
  isPullRequest: boolean;
};

export type ForgeComment = { id: number; body: string; author: string; url: string };

export type PullRequest = {
  number: number;
  url: string;
  branch: string;
  draft: boolean;
  state: "open" | "closed";
};

export type PullRequestDraft = {
  branch: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
  /** Logins; what the forge refuses to ask is left out. */
  reviewers: readonly string[];
};

/**
 * One repository on a forge, as the bot sees it. Every call may throw `forge-unavailable` (retry, with
 * `retryAfterMs` where the forge gave it), `forge-denied` (fix-config) or `forge-missing` (fix-input).
 */
export interface Forge {
  readonly kind: "github" | "forgejo";
  /** `owner/name`. */
  readonly repository: string;
  defaultBranch(): Promise<string>;
  /** Asked of the forge each time. An answer that is not clear throws: nothing is taken for a permission. */
  permission(login: string): Promise<Permission>;
  issue(number: number): Promise<ForgeIssue>;
  react(
    target: { issue: number } | { comment: number },
    content: "eyes" | "rocket" | "confused",
  ): Promise<void>;
  /** The bot's own comment that holds `marker`, if there is one; the oldest. */
  findComment(issue: number, marker: string): Promise<ForgeComment | undefined>;
  createComment(issue: number, body: string): Promise<ForgeComment>;
  updateComment(id: number, body: string): Promise<void>;
  /** One that is gone already is no failure. */
  deleteComment(id: number): Promise<void>;
  /** The bot's pull request from `branch`, open or closed; the newest. */
  findPullRequest(branch: string): Promise<PullRequest | undefined>;
  createPullRequest(draft: PullRequestDraft): Promise<PullRequest>;
  updatePullRequest(number: number, change: Pick<PullRequestDraft, "title" | "body">): Promise<void>;
  /** The state of the thread on a commit: a check run on GitHub, a commit status on Forgejo. */
  setCheck(check: {
    commit: string;
    thread: string;
    status: "running" | "success" | "failure" | "neutral";
    summary: string;
    url: string | null;
  }): Promise<void>;
  /** A file on the default branch; undefined when there is none. */
  file(path: string): Promise<string | undefined>;
  /** Where git reads and writes, with a token made for this repository alone. */
  remote(access: "read" | "write"): Promise<Remote>;
  /** How the bot signs commits, and the address that credits a user. */
  botAuthor(): Promise<Author>;
  userAuthor(user: Pick<ForgeUser, "login" | "id">): Author;
}

/** Opens repositories of one forge. */
export interface Forges {
  open(place: { repository: string; installationId: number | null }): Promise<Forge>;
}
