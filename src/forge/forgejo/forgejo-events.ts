import type { z } from "zod";
import { isObject } from "../../base/json.ts";
import type { EventIssue, ForgeEvent, Reviewed as ReviewedEvent } from "../events.ts";
import { actionAtStart, checkPayload, parsePayload, type WebhookDelivery } from "../webhook-payload.ts";
import {
  Commented,
  Common,
  type Issue,
  IssueChanged,
  PullRequestChanged,
  type Repository,
  Reviewed,
  RunEnded,
} from "./forgejo-payloads.ts";
import { GHOST, isBot, type User } from "./user.ts";

/**
 * The event of a verified delivery; null for those that the bot does not listen to. `self`: who the bot is, as far as that is
 * known by now. Throws `webhook-malformed` (fix-input) when a body is not what its headers say.
 */
export const parseForgejoEvent = (delivery: WebhookDelivery, self: User | null): ForgeEvent | null => {
  const listened = Object.hasOwn(readers, delivery.event) ? readers[delivery.event] : undefined;
  if (listened === undefined) return null;
  const begun = actionAtStart(delivery);
  if (begun !== undefined && !hears(listened, begun)) return null;
  const payload = parsePayload(delivery);
  const action = isObject(payload) && typeof payload.action === "string" ? payload.action : "";
  return hears(listened, action) ? listened.read({ payload, action, delivery, self }) : null;
};

type Reading = { payload: unknown; action: string; delivery: WebhookDelivery; self: User | null };

/** `actions` null: whatever it is called, the event says all. */
type Reader = { actions: readonly string[] | null; read(reading: Reading): ForgeEvent | null };

const hears = ({ actions }: Reader, action: string): boolean => actions === null || actions.includes(action);

const issueChanged: Reader = {
  actions: ["label_updated", "opened"],
  read: ({ payload, action, delivery, self }) => {
    const { issue, ...common } = checkPayload(IssueChanged, payload, delivery);
    return labelsChanged({ issue, action, isPullRequest: false, about: about(common, self) });
  },
};

const pullRequestChanged: Reader = {
  actions: ["label_updated", "opened"],
  read: ({ payload, action, delivery, self }) => {
    const { pull_request: issue, ...common } = checkPayload(PullRequestChanged, payload, delivery);
    return labelsChanged({ issue, action, isPullRequest: true, about: about(common, self) });
  },
};

const commented: Reader = {
  actions: ["created"],
  read: ({ payload, delivery, self }) => {
    const { issue, comment, is_pull, ...common } = checkPayload(Commented, payload, delivery);
    const { id, body, html_url: url, created_at: at } = comment;
    return {
      kind: "commented",
      ...about(common, self),
      issue: issueOf(issue, { isPullRequest: is_pull ?? false }),
      comment: { id, body, url, at },
    };
  },
};

const reviewed = (verdict: ReviewedEvent["review"]["verdict"]): Reader => ({
  actions: ["reviewed"],
  read: ({ payload, delivery, self }) => {
    const { pull_request, review, ...common } = checkPayload(Reviewed, payload, delivery);
    return {
      kind: "reviewed",
      ...about(common, self),
      issue: issueOf(pull_request, { isPullRequest: true }),
      review: { id: null, verdict, body: review?.content ?? "", url: pull_request.html_url },
    };
  },
});

const runEnded = ({ passed }: { passed: boolean }): Reader => ({
  actions: null,
  read: ({ payload, delivery, self }) => {
    const { run } = checkPayload(RunEnded, payload, delivery);
    const { repository, trigger_user, commit_sha: commit, prettyref } = run;
    return {
      kind: "checks-finished",
      ...about({ repository, sender: trigger_user ?? { login: GHOST, id: -1 } }, self),
      commit,
      branch: prettyref && !prettyref.startsWith("#") ? prettyref : null,
      passed,
    };
  },
});

const repositoryChanged: Reader = {
  actions: ["deleted"],
  read: ({ payload, delivery, self }) => {
    const common = checkPayload(Common, payload, delivery);
    const { forge, installationId, sender, repository } = about(common, self);
    const account = common.repository.owner.login;
    const repositories = [repository];
    return {
      kind: "installation-changed",
      forge,
      installationId,
      sender,
      account,
      change: "removed",
      repositories,
    };
  },
};

const readers: Readonly<Record<string, Reader | undefined>> = {
  issues: issueChanged,
  pull_request: pullRequestChanged,
  issue_comment: commented,
  pull_request_approved: reviewed("approved"),
  pull_request_rejected: reviewed("changes-requested"),
  pull_request_comment: reviewed("commented"),
  action_run_success: runEnded({ passed: true }),
  action_run_recover: runEnded({ passed: true }),
  action_run_failure: runEnded({ passed: false }),
  repository: repositoryChanged,
};

/** Forgejo says which labels there are now, and neither which one is new nor whether any is. */
const labelsChanged = ({
  issue,
  action,
  isPullRequest,
  about,
}: {
  issue: Issue;
  action: string;
  isPullRequest: boolean;
  about: About;
}): ForgeEvent | null => {
  const labels = (issue.labels ?? []).map(({ name }) => name);
  if (labels.length === 0) return null;
  const at = action === "opened" ? issue.created_at : issue.updated_at;
  return { kind: "labels-changed", ...about, issue: issueOf(issue, { isPullRequest }), labels, at };
};

const issueOf = (issue: Issue, { isPullRequest }: { isPullRequest: boolean }): EventIssue => ({
  number: issue.number,
  title: issue.title,
  body: issue.body ?? "",
  url: issue.html_url,
  author: issue.user,
  state: issue.state,
  isPullRequest,
});

type About = ReturnType<typeof about>;

const about = (
  { repository, sender }: { repository: z.output<typeof Repository>; sender: User },
  self: User | null,
) => ({
  forge: "forgejo" as const,
  installationId: repository.owner.id,
  repository: repository.full_name,
  repositoryId: repository.id,
  defaultBranch: repository.default_branch,
  sender: { login: sender.login, id: sender.id, isBot: isBot(sender, self) },
});
