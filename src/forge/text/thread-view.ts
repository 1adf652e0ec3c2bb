import type { ThreadId } from "../../base/ids.ts";
import type { Usage } from "../../store/payload.ts";
import type { ThreadStatus } from "../../store/store.ts";

/** One visit of a role, or a role that has not been visited. */
export type RoleView = {
  name: string;
  state: "waiting" | "running" | "done" | "failed";
  /** Markdown of the role's own; null while there is none. */
  summary: string | null;
  ms: number | null;
  usage: Usage | null;
};

/** Commands that may stand in a comment. */
export type CommandName = "stop" | "pause" | "resume" | "retry" | "status";

/** Everything that people are shown about a thread. */
export type ThreadView = {
  thread: ThreadId;
  workflow: string;
  state: ThreadStatus;
  /** Why it is in this state: one line; null when there is nothing to say. */
  reason: string | null;
  /** Steps in their order, then the roles that are still to come. */
  roles: readonly RoleView[];
  branch: { name: string; url: string | null } | null;
  pullRequest: { number: number; url: string; draft: boolean } | null;
  /** Of the whole thread so far. */
  usage: Usage;
  ms: number;
  /** What the bot obeys in comments; only what helps in the present state is shown. */
  commands: readonly CommandName[];
};
