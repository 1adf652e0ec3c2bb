import { neutralizeLine } from "./neutralize.ts";
import { stateTitle } from "./state-line.ts";
import type { ThreadView } from "./thread-view.ts";

/** How a thread stands, as the check of a commit says it. */
export const checkText = (
  view: ThreadView,
): { status: "running" | "success" | "failure" | "neutral"; summary: string } => ({
  status: view.awaits?.kind === "failure" ? "failure" : STATUS[view.state],
  summary: summary(stateTitle(view), view.reason === null ? "" : neutralizeLine(view.reason)),
});

const summary = (title: string, reason: string): string =>
  reason.startsWith(`${title} `) ? reason : `${title}. ${reason}`.trim();

const STATUS = {
  queued: "running",
  running: "running",
  paused: "neutral",
  suspended: "neutral",
  completed: "success",
  failed: "failure",
  cancelled: "neutral",
} as const;
