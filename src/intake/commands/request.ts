import type { EventIssue } from "../../forge/events.ts";
import type { ThreadRecord, ThreadStatus } from "../../store/store.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import type { Command } from "./parse.ts";

/** A command of somebody who may give it. */
export type Request = {
  command: Command;
  /** The issue or pull request that it stands on, as it was then. */
  issue: EventIssue;
  sender: { login: string; id: number };
  /** When it was written (milliseconds since the epoch). */
  at: number;
  /** Shows the person that the command was seen. */
  seen(): Promise<void>;
};

export type Answer =
  /** It was obeyed; the thread, where one begins or goes on. */
  | { kind: "done"; thread?: ThreadRecord }
  /** What people are told instead: Markdown of the bot's own. */
  | { kind: "told"; text: string };

export type Handler = (parts: IntakeParts, asked: Asked, request: Request) => Promise<Answer>;

export const told = (text: string): Answer => ({ kind: "told", text });

/** How work stands, in words that follow it. */
export const STANDS: Readonly<Record<ThreadStatus, string>> = {
  queued: "is queued",
  running: "is running",
  paused: "is paused",
  suspended: "waits for a person",
  completed: "is done",
  failed: "has failed",
  cancelled: "was stopped",
};

/** What people are told where other work is under way. */
export const underWay = ({ status }: Pick<ThreadRecord, "status">): string =>
  `Work is under way here already (it ${STANDS[status]}). \`/stop\` ends it; then ask again.`;
