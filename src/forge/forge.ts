import type { Author, Remote } from "../workspace/workspace.ts";
import type { ForgeKind } from "./kind.ts";

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

/** `editedAt`: when it was written, or last edited, by the forge's clock (milliseconds since the epoch). */
export type ForgeComment = { id: number; body: string; author: string; url: string; editedAt: number };

/** An addition of a label to an issue: when it happened last, and who did it. */
export type LabelAddition = {
  /** The forge's own name for it: another addition of the same label has another. */
  id: string;
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
};

export type PullRequest = {
  number: number;
  url: string;
  branch: string;
  draft: boolean;
  state: "open" | "closed";
};

/** A pull request as it is now. */
export type PullRequestDetails = PullRequest & {
  title: string;
  body: string;
  author: string;
  /** True when the bot itself opened it. */
  isOwn: boolean;
  merged: boolean;
  /** The branch that it goes into. */
  base: string;
  /** The last commit of its branch, and `owner/name` of the repository that has it; null when that is gone. */
  head: { commit: string; repository: string | null };
};

/** A conversation about a place in a pull request's changes. */
export type ReviewThread = {
  /** What `replyToReview` takes. */
  id: string;
  path: string;
  /** In the file as the pull request has it; null when the place is gone, or the whole file is meant. */
  line: number | null;
  /** The lines of the diff that it is about; null where the forge does not keep them. */
  diffHunk: string | null;
  isResolved: boolean;
  /** Oldest first. `isOwn`: the bot's. */
  comments: readonly { author: string; isOwn: boolean; body: string; at: number }[];
};

/** A review that the bot writes. */
export type NewReview = {
  /** The commit that it is about. */
  commit: string;
  body: string;
  /** Lines are those of the file as the commit has it; what the forge cannot place there is put into the body. */
  comments: readonly { path: string; line: number; body: string }[];
};

/** What the checks of others say about a commit; the bot's own are left out. */
export type CheckReport = {
  /** `none`: nothing has reported. `pending`: not all have finished. */
  state: "none" | "pending" | "success" | "failure";
  failed: readonly {
    name: string;
    url: string | null;
    /** What the check says of itself: Markdown or plain text, perhaps empty. */
    summary: string;
    /** The log of what failed, at most 200,000 characters of its end; null where the forge gives none. */
    log: string | null;
  }[];
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
  readonly kind: ForgeKind;
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
  /** Throws `forge-missing` (fix-input) when the number is no pull request's. */
  pullRequest(number: number): Promise<PullRequestDetails>;
  updatePullRequest(number: number, change: Partial<Pick<PullRequestDraft, "title" | "body">>): Promise<void>;
  /** Makes it a draft, or ready for review. One that is so already is left alone. */
  setDraft(number: number, draft: boolean): Promise<void>;
  /** Oldest first. */
  reviewThreads(number: number): Promise<ReviewThread[]>;
  replyToReview(number: number, thread: ReviewThread["id"], body: string): Promise<void>;
  /** Writes a review that neither approves nor refuses. */
  createReview(number: number, review: NewReview): Promise<void>;
  /** True when the bot has written a review whose body holds `marker`. */
  hasReview(number: number, marker: string): Promise<boolean>;
  checks(commit: string): Promise<CheckReport>;
  /** When the label was added to the issue last; null where events name the label that was added. */
  readonly labelAddition: ((issue: number, label: string) => Promise<LabelAddition | undefined>) | null;
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

/** Where a repository is. `repositoryId`: the forge's own, which a name that changes hands does not keep. */
export type ForgePlace = {
  forge: ForgeKind;
  repository: string;
  installationId: number | null;
  repositoryId?: number | undefined;
};

/**
 * Finds a repository by its name alone, in whatever case: the place as events have it. Throws `forge-missing` and `forge-repository`
 * (fix-input) where the bot works in none of that name, `forge-denied` (fix-config) where it may not write, and as `Forge`.
 */
export type Locate = (repository: string) => Promise<ForgePlace>;

/** Opens repositories. Throws `forge-unconfigured` (fix-config) where this process is not set up for the place's forge. */
export interface Forges {
  open(place: ForgePlace): Promise<Forge>;
}
