/** What a token may do. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

/**
 * What the bot does on GitHub, and the least that it needs for each: a token is made for one of these, and for one repository. All are
 * among those of app.yml; metadata every token can read.
 */
export const phases = {
  /** Who may write, what an issue, a pull request and the repository's configuration say. */
  read: { contents: "read", issues: "read", pull_requests: "read" },
  /** Comments and reactions; GitHub counts those on a pull request as its own. */
  comment: { issues: "write", pull_requests: "write" },
  /** Opening and editing pull requests, asking for reviews and writing them. */
  pullRequest: { contents: "read", pull_requests: "write" },
  /** To make a pull request a draft, or ready, GitHub wants what a push needs. */
  draft: { contents: "write", pull_requests: "write" },
  check: { checks: "write" },
  readChecks: { checks: "read", statuses: "read" },
  readLogs: { actions: "read" },
  fetch: { contents: "read" },
  push: { contents: "write" },
} as const satisfies Readonly<Record<string, Permissions>>;

export type Phase = keyof typeof phases;
