import type { ThreadId } from "../../base/ids.ts";
import type { Usage } from "../../store/payload.ts";
import type { ThreadStatus } from "../../store/store.ts";
import type { Refusal } from "../../workspace/network/refusal.ts";
import type { CommandName } from "./command-table.ts";
import type { Notice } from "./notice.ts";
import type { LeftOut } from "./shown/left-out.ts";

/** One visit of a role, or a role that has not been visited. */
export type RoleView = {
  name: string;
  /** `asked`: it answered with a question to a person. */
  state: "waiting" | "running" | "done" | "asked" | "failed";
  /** Markdown of the role's own; null while there is none. */
  summary: string | null;
  ms: number | null;
  usage: Usage | null;
  /** Since when it has been at work (milliseconds since the epoch); null unless it runs. */
  since: number | null;
  /** Of a role that a workflow plays: the visits there so far. */
  within: readonly RoleView[];
};

/** What a thread that is not at work waits for. */
export type Awaited =
  | { kind: "worker" }
  /** A fault passes, and then it is tried again: at this time (milliseconds since the epoch). */
  | { kind: "retry"; at: number }
  /** `question`: Markdown of a role's own. */
  | { kind: "answer"; question: string }
  /** A workflow that played a role has failed: why, and what is asked about it. */
  | { kind: "failure"; question: string }
  /** The same in a conversation: the question stands in a comment of its own, and so does the answer. */
  | { kind: "comment" }
  /** `base`: the commit that the plan was made for. */
  | { kind: "approval"; plan: unknown; base: string | null }
  /** A person judges, or lets it go on: see the reason. */
  | { kind: "person" };

/** A name with where it can be seen; `url` is null where there is no such place. */
export type Linked = { name: string; url: string | null };

/** Everything that people are shown about a thread. */
export type ThreadView = {
  thread: ThreadId;
  workflow: string;
  state: ThreadStatus;
  /** Why it is in this state: one line; null when there is nothing to say. */
  reason: string | null;
  /** Null when it works, or has ended. */
  awaits: Awaited | null;
  /** A login; null: the bot's operator. */
  requester: string | null;
  /** What began it: see `thread-start`. */
  trigger: string | null;
  /** What was left out of the texts that it works on, because nobody would have seen it. */
  leftOut: LeftOut;
  /** What the bot answers to a command that it did not obey. */
  notice: Notice | null;
  /** Where its comment stands. */
  on: "issues" | "pull requests";
  /** Steps in their order, then the roles that are still to come. */
  roles: readonly RoleView[];
  branch: Linked | null;
  /** `draft`: until its checks have passed, for as long as people want, or not. */
  pullRequest: { number: number; url: string; draft: "until-checks-pass" | "yes" | "no" } | null;
  /** What it has pushed to a pull request that was there before. */
  commit: Linked | null;
  /** The conversations of a review that it has answered. */
  answered: number;
  /** The commit of a pull request that it has reviewed. */
  reviewed: Linked | null;
  /** What the network's proxy did not let its commands reach. */
  refused: readonly Refusal[];
  /** How many files were changed by a thread that came to its end and published nothing; 0: none, or it did publish. */
  unpublished: number;
  forkOf: ThreadId | null;
  /** Of the whole thread so far. */
  usage: Usage;
  ms: number;
  /** US dollars, counted since a person last let it go on; null where there is no limit. */
  budget: { spentUsd: number; limitUsd: number } | null;
  /** What the bot obeys in this repository; only what helps in the present state is shown. */
  commands: readonly CommandName[];
};
