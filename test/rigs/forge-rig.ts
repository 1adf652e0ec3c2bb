import type { ForgeKind } from "../../src/forge/events.ts";
import type { BareRepository } from "./github/bare-repository.ts";
import type { Fault } from "./github/faults.ts";
import type { RigRequest } from "./github/http.ts";

export type ForgeRigOptions = {
  /** `owner/name` of each; all begin with the files of one directory. */
  repositories: readonly string[];
  /** The directory whose files are the first commit. */
  from: string;
  /** People with what they may do everywhere. */
  users: readonly { login: string; permission: "admin" | "write" | "read" | "none" }[];
};

export type SeenComment = { id: number; body: string; author: string; url: string };

export type SeenPullRequest = {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: string;
  merged: boolean;
  author: string;
  head: { branch: string; commit: string };
  base: string;
  reviewers: readonly string[];
};

export type SeenConversation = {
  id: string;
  path: string;
  line: number | null;
  isResolved: boolean;
  comments: readonly { author: string; body: string }[];
};

export type SentDelivery = {
  id: string;
  event: string;
  action: string | null;
  body: string;
  /** What the bot answered; null when it was not reached. */
  status: number | null;
};

/** A forge for tests: what people do there, what they see, and what a test alone can do; the same for every forge. */
export type ForgeRig = ForgePeople & ForgeViews & ForgeControls;

/** What people do, each by their own account, with the webhooks that follow. */
export type ForgePeople = {
  openIssue(
    repository: string,
    issue: { title: string; body: string; author: string },
  ): Promise<{ number: number; url: string }>;
  /** On an issue or a pull request. */
  label(repository: string, issue: number, label: string, by: string): Promise<void>;
  comment(repository: string, issue: number, comment: { body: string; author: string }): Promise<SeenComment>;
  /** By the bot's own account, but not by the bot; after it has asked the forge for anything there. */
  commentAsBot(repository: string, issue: number, body: string): Promise<void>;
  editComment(repository: string, id: number, comment: { body: string; by: string }): Promise<void>;
  createBranch(repository: string, branch: { name: string; by: string }): Promise<void>;
  /** Commits a file to a branch. */
  writeFile(
    repository: string,
    file: { path: string; content: string; branch: string; by: string },
  ): Promise<void>;
  openPullRequest(
    repository: string,
    pull: { branch: string; title: string; body: string; author: string },
  ): Promise<SeenPullRequest>;
  editPullRequest(
    repository: string,
    number: number,
    change: { title?: string; body?: string; by: string },
  ): Promise<void>;
  closePullRequest(repository: string, number: number, by: string): Promise<void>;
  mergePullRequest(repository: string, number: number, by: string): Promise<void>;
  review(
    repository: string,
    number: number,
    review: {
      author: string;
      verdict: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
      body?: string;
      comments?: readonly { path: string; line: number; body: string }[];
    },
  ): Promise<void>;
  /** A check that is not the bot's finishes on the commit at the head of a branch. Only GitHub has a log of it. */
  finishCheck(
    repository: string,
    at: { commit: string; branch: string },
    check: { name: string; passed: boolean; log: string },
  ): Promise<void>;
  setPermission(
    repository: string,
    login: string,
    permission: "admin" | "write" | "read" | "none",
  ): Promise<void>;
  /** Takes the bot out of the repository, in the way that the forge has. */
  removeBot(repository: string): Promise<void>;
};

/** What people see, asked of the forge's own API where it has one for it. */
export type ForgeViews = {
  comments(repository: string, issue: number): Promise<readonly SeenComment[]>;
  /** Oldest first. */
  pullRequests(repository: string): Promise<readonly SeenPullRequest[]>;
  reviews(
    repository: string,
    number: number,
  ): Promise<readonly { author: string; body: string; commit: string }[]>;
  conversations(repository: string, number: number): Promise<readonly SeenConversation[]>;
  /** Contents of `issues/<n>` or `issues/comments/<id>`. */
  reactions(repository: string, subject: string): readonly string[];
  /** How the bot says that the work on a commit stands, newest last: check runs or a commit status. */
  states(
    repository: string,
    commit: string,
  ): Promise<readonly ("running" | "success" | "failure" | "neutral")[]>;
};

export type ForgeControls = {
  kind: ForgeKind;
  botLogin: string;
  /** What the bot needs in its environment. */
  env: Readonly<Record<string, string>>;
  /** Where the bot takes this forge's webhooks. */
  hookPath: string;
  /** Where a repository keeps its configuration. */
  configPath: string;
  /** The repository whose configuration others inherit. */
  organisationRepository(owner: string): string;
  webUrl: string;
  sendWebhooksTo(url: string): void;
  readonly delivered: readonly SentDelivery[];
  /** The headers with which the forge sends a body; a signature that is given is sent instead of the right one. */
  headersOf(
    delivery: { id: string; event: string; body: string },
    change?: { signature: string },
  ): Record<string, string>;
  /** The right signature of a delivery, for another. */
  signatureFor(delivery: { body: string }): { signature: string };
  /** When every webhook of what was done so far was delivered. */
  idle(): Promise<void>;
  /** Lets calls go wrong. */
  fault(fault: Fault): void;
  /** Whether a request is the bot's, or that of git for it. */
  isBots(request: RigRequest): boolean;
  /** The owner of the repository that a request of the bot's is about; null where it is about none. */
  ownerIn(request: RigRequest): string | null;
  /** The repository on disk. */
  bare(repository: string): BareRepository;
  close(): Promise<void>;
};
