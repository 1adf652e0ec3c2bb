import { z } from "zod";
import { GHOST, User } from "./user.ts";

/** What the bot reads of Forgejo's payloads (https://forgejo.org/docs/latest/user/webhooks/). */

const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const Repository = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  default_branch: z.string(),
  owner: z.object({ id: z.int(), login: z.string() }),
});

export const Common = z.object({ repository: Repository, sender: User });

/** An issue, or a pull request, which has all of an issue's fields. */
const Issue = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  user: User.nullish().transform((user) => user?.login ?? GHOST),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  created_at: Time,
  updated_at: Time,
});
export type Issue = z.output<typeof Issue>;

export const IssueChanged = Common.extend({ issue: Issue });

export const PullRequestChanged = Common.extend({ pull_request: Issue });

export const Commented = Common.extend({
  issue: Issue,
  comment: z.object({ id: z.int(), body: z.string(), html_url: z.string(), created_at: Time }),
  is_pull: z.boolean().nullish(),
});

/** Of a review Forgejo tells its text alone; the event's name tells the verdict. */
export const Reviewed = PullRequestChanged.extend({
  review: z.object({ content: z.string().nullish() }).nullish(),
});

/** A run of Forgejo Actions that ended. Forgejo 11 does not tell it. */
export const RunEnded = z.object({
  run: z.object({
    repository: Repository,
    trigger_user: User.nullish(),
    commit_sha: z.string().min(1),
    /** A branch, or `#12` for a pull request's. */
    prettyref: z.string().nullish(),
  }),
});
