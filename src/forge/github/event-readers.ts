import type { z } from "zod";
import type { EventIssue, ForgeEvent, InstallationChanged, Sender } from "../events.ts";
import {
  CheckSuiteCompleted,
  type FromForge,
  type FromRepository,
  type Installation,
  InstallationEvent,
  InstallationRepositories,
  IssueCommentCreated,
  IssueLabeled,
  type Item,
  PullRequestLabeled,
  ReviewSubmitted,
  StatusSet,
} from "./event-payloads.ts";

/** Who reads: a check of this App is none of somebody else's. */
export type Reader = { appId: number | null };

type EventReader<Schema extends z.ZodType = z.ZodType> = {
  schema: Schema;
  /** null for what leads to nothing. */
  read(payload: z.output<Schema>, reader: Reader): ForgeEvent | null;
};

const reader = <Schema extends z.ZodType>(
  schema: Schema,
  read: EventReader<Schema>["read"],
): EventReader => ({ schema, read: (payload, by) => read(payload as z.output<Schema>, by) });

const issueLabeled = reader(IssueLabeled, ({ issue, label, ...common }) => ({
  kind: "issue-labelled",
  ...inRepository(common),
  issue: itemOf(issue, { isPullRequest: issue.pull_request != null }),
  label: label.name,
}));

const pullRequestLabeled = reader(PullRequestLabeled, ({ pull_request, label, ...common }) => ({
  kind: "issue-labelled",
  ...inRepository(common),
  issue: itemOf(pull_request, { isPullRequest: true }),
  label: label.name,
}));

const commentCreated = reader(IssueCommentCreated, ({ issue, comment, ...common }) => ({
  kind: "commented",
  ...inRepository(common),
  issue: itemOf(issue, { isPullRequest: issue.pull_request != null }),
  comment: {
    id: comment.id,
    body: comment.body ?? "",
    url: comment.html_url,
    at: Date.parse(comment.created_at),
  },
}));

const VERDICTS = {
  approved: "approved",
  changes_requested: "changes-requested",
  commented: "commented",
} as const;

const reviewSubmitted = reader(ReviewSubmitted, ({ pull_request, review, ...common }) => {
  const verdict = Object.entries(VERDICTS).find(([state]) => state === review.state.toLowerCase())?.[1];
  if (verdict === undefined) return null;
  return {
    kind: "reviewed",
    ...inRepository(common),
    issue: itemOf(pull_request, { isPullRequest: true }),
    review: { id: review.id, verdict, body: review.body ?? "", url: review.html_url },
  };
});

const PASSED: readonly unknown[] = ["success", "neutral", "skipped"];

const checkSuiteCompleted = reader(CheckSuiteCompleted, ({ check_suite: suite, ...common }, { appId }) => {
  if (appId !== null && suite.app?.id === appId) return null;
  return {
    kind: "checks-finished",
    ...inRepository(common),
    commit: suite.head_sha,
    branch: suite.head_branch ?? null,
    passed: PASSED.includes(suite.conclusion),
  };
});

const statusSet = reader(StatusSet, ({ sha, state, branches, ...common }) => {
  if (state === "pending") return null;
  const [branch, ...others] = (branches ?? []).filter(({ commit }) => (commit?.sha ?? sha) === sha);
  return {
    kind: "checks-finished",
    ...inRepository(common),
    commit: sha,
    branch: others.length === 0 ? (branch?.name ?? null) : null,
    passed: state === "success",
  };
});

const installation = (change: InstallationChanged["change"]) =>
  reader(InstallationEvent, ({ repositories, ...payload }) => ({
    kind: "installation-changed",
    ...inInstallation(payload),
    change,
    repositories:
      change === "added" && payload.installation.repository_selection === "selected"
        ? namesOf(repositories)
        : null,
  }));

const repositoriesChanged = (change: InstallationChanged["change"]) =>
  reader(InstallationRepositories, ({ repositories_added, repositories_removed, ...payload }) => ({
    kind: "installation-changed",
    ...inInstallation(payload),
    change,
    repositories: namesOf(change === "added" ? repositories_added : repositories_removed),
  }));

/** By event and action; an event without actions has none after the dot. */
export const eventReaders: Readonly<Record<string, EventReader>> = {
  "issues.labeled": issueLabeled,
  "pull_request.labeled": pullRequestLabeled,
  "issue_comment.created": commentCreated,
  "pull_request_review.submitted": reviewSubmitted,
  "check_suite.completed": checkSuiteCompleted,
  "status.": statusSet,
  "installation.created": installation("added"),
  "installation.unsuspend": installation("added"),
  "installation.deleted": installation("removed"),
  "installation.suspend": installation("removed"),
  "installation_repositories.added": repositoriesChanged("added"),
  "installation_repositories.removed": repositoriesChanged("removed"),
};

const inRepository = ({ repository, ...common }: FromRepository) => ({
  ...about(common),
  repository: repository.full_name,
  repositoryId: repository.id,
  defaultBranch: repository.default_branch,
});

const inInstallation = (payload: FromForge & { installation: Installation }) => ({
  ...about(payload),
  account: payload.installation.account?.login ?? payload.installation.account?.slug ?? "ghost",
});

const about = ({ installation, sender }: FromForge) => ({
  forge: "github" as const,
  installationId: installation?.id ?? null,
  sender: senderOf(sender),
});

/** Apps act as users of their own type, and what has no sender was done by nobody; only people may start work. */
const senderOf = (sender: FromForge["sender"]): Sender =>
  sender == null
    ? { login: "ghost", id: 0, isBot: true }
    : { login: sender.login, id: sender.id, isBot: sender.type !== "User" };

const itemOf = (item: Item, { isPullRequest }: Pick<EventIssue, "isPullRequest">): EventIssue => ({
  number: item.number,
  title: item.title,
  body: item.body ?? "",
  url: item.html_url,
  author: item.user?.login ?? "ghost",
  state: item.state,
  isPullRequest,
});

const namesOf = (repositories: readonly { full_name: string }[] | null | undefined): string[] =>
  (repositories ?? []).map(({ full_name }) => full_name);
