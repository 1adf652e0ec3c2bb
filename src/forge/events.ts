import type { ForgeIssue } from "./forge.ts";
import type { ForgeKind } from "./kind.ts";

export type { ForgeKind };

/** Who caused an event, as the forge's own payload says. */
export type Sender = { login: string; id: number; isBot: boolean };

/** What every event of every forge says. */
export type About = {
  forge: ForgeKind;
  /** GitHub's installation. On Forgejo, which has none, the repository's owner: limits and turns are theirs. */
  installationId: number | null;
  sender: Sender;
};

type InRepository = About & {
  /** `owner/name`. */
  repository: string;
  /** The forge's own, which a name that changes hands does not keep. */
  repositoryId?: number | undefined;
  defaultBranch: string;
};

/** An issue or a pull request as it stood when the event happened. */
export type EventIssue = Pick<
  ForgeIssue,
  "number" | "title" | "body" | "url" | "author" | "state" | "isPullRequest"
>;

/** A label was added to an issue or a pull request. */
export type IssueLabelled = InRepository & { kind: "issue-labelled"; issue: EventIssue; label: string };

/**
 * The labels of an issue changed, and the forge does not say how: these are all that it has now. See `Forge.labelAddition`.
 */
export type LabelsChanged = InRepository & {
  kind: "labels-changed";
  issue: EventIssue;
  labels: readonly string[];
  /** When they changed (milliseconds since the epoch). */
  at: number;
};

/** Somebody wrote a new comment on an issue or a pull request. Edits of comments are no events. */
export type Commented = InRepository & {
  kind: "commented";
  issue: EventIssue;
  /** `at`: milliseconds since the epoch. */
  comment: { id: number; body: string; url: string; at: number };
};

/** Somebody submitted a review; comments on lines come with it or alone, as a review of their own. */
export type Reviewed = InRepository & {
  kind: "reviewed";
  issue: EventIssue;
  /** `id`: null where the forge does not say. */
  review: {
    id: number | null;
    verdict: "approved" | "changes-requested" | "commented";
    body: string;
    url: string;
  };
};

/** Checks of a commit finished: a suite, a run or a status; whether all did is `Forge.checks`' to say. */
export type ChecksFinished = InRepository & {
  kind: "checks-finished";
  commit: string;
  /** null where the forge does not say. */
  branch: string | null;
  passed: boolean;
};

/** The bot was installed or removed, or repositories were added to or taken from an installation. */
export type InstallationChanged = About & {
  kind: "installation-changed";
  account: string;
  change: "added" | "removed";
  /** `owner/name`; null: every repository of the installation. */
  repositories: readonly string[] | null;
};

/** What happens in a repository. */
export type RepositoryEvent = IssueLabelled | LabelsChanged | Commented | Reviewed | ChecksFinished;

/** What forges tell the bot, in its own words. */
export type ForgeEvent = RepositoryEvent | InstallationChanged;

export const isInRepository = (event: ForgeEvent): event is RepositoryEvent =>
  event.kind !== "installation-changed";
