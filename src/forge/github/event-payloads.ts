import { z } from "zod";

/** The parts of GitHub's webhooks that the bot reads: https://docs.github.com/en/webhooks/webhook-events-and-payloads */

const User = z.object({ login: z.string(), id: z.int(), type: z.string().optional() });

const FullName = z.string().regex(/^[^/\s]+\/[^/\s]+$/);

export const FromForge = z.object({
  installation: z.object({ id: z.int() }).nullish(),
  sender: User.nullish(),
});
export type FromForge = z.output<typeof FromForge>;

export const FromRepository = FromForge.extend({
  repository: z.object({ id: z.int(), full_name: FullName, default_branch: z.string().min(1) }),
});
export type FromRepository = z.output<typeof FromRepository>;

/** `user` is null when the account was removed. */
const Item = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  user: z.object({ login: z.string() }).nullish(),
});
export type Item = z.output<typeof Item>;

/** In issues, `pull_request` says that it is one. */
const Issue = Item.extend({ pull_request: z.object({}).nullish() });

const Label = z.object({ name: z.string() });

export const IssueLabeled = FromRepository.extend({ issue: Issue, label: Label });

export const PullRequestLabeled = FromRepository.extend({ pull_request: Item, label: Label });

export const IssueCommentCreated = FromRepository.extend({
  issue: Issue,
  comment: z.object({
    id: z.int(),
    body: z.string().nullish(),
    html_url: z.string(),
    created_at: z.string(),
  }),
});

export const ReviewSubmitted = FromRepository.extend({
  pull_request: Item,
  review: z.object({
    id: z.int(),
    body: z.string().nullish(),
    html_url: z.string(),
    state: z.string(),
  }),
});

export const CheckSuiteCompleted = FromRepository.extend({
  check_suite: z.object({
    head_sha: z.string().min(1),
    head_branch: z.string().nullish(),
    conclusion: z.string().nullish(),
    app: z.object({ id: z.int() }).nullish(),
  }),
});

export const StatusSet = FromRepository.extend({
  sha: z.string().min(1),
  state: z.string(),
  branches: z
    .array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }).nullish() }))
    .nullish(),
});

/** The account of an enterprise has a slug where others have a login. */
const Installation = z.object({
  id: z.int(),
  account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
  repository_selection: z.string().optional(),
});

const Repositories = z.array(z.object({ full_name: FullName }));

export const InstallationEvent = FromForge.extend({
  installation: Installation,
  repositories: Repositories.nullish(),
});

export const InstallationRepositories = FromForge.extend({
  installation: Installation,
  repositories_added: Repositories.nullish(),
  repositories_removed: Repositories.nullish(),
});
export type Installation = z.output<typeof Installation>;
