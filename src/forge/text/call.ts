import type { ThreadId } from "../../base/ids.ts";
import { isBudgetSpent } from "./budget-spent.ts";
import { mention } from "./mention.ts";
import { isPausedByPerson } from "./paused-by-person.ts";
import type { ThreadView } from "./thread-view.ts";

/** The hidden mark of the comment that calls a person; all of a thread's begin alike. */
export const callMarker = (thread: ThreadId, stamp?: string): string =>
  `<!-- uwf:call:${thread} ${stamp === undefined ? "" : `${stamp} -->`}`;

const FAILED = "the work has failed";

/** Why the requester is needed, as the rest of a sentence; null when nobody is. */
export const reasonToCall = (view: ThreadView): string | null => {
  const { state, awaits, notice } = view;
  switch (state) {
    case "suspended":
      if (awaits?.kind === "approval") return "the plan waits for your approval";
      if (awaits?.kind === "failure") return FAILED;
      // What asks mentions them itself.
      if (awaits?.kind === "comment") return null;
      return awaits?.kind === "answer" ? "a question waits for your answer" : "the work waits for you";
    case "paused":
      if (isPausedByPerson(view)) return null;
      return isBudgetSpent(view) ? "the budget is spent" : "the work is paused and waits for you";
    case "failed":
      return FAILED;
    case "completed":
    case "cancelled":
      return notice?.calls ?? null;
    case "queued":
    case "running":
      return null;
  }
};

/** The Markdown of the comment: edits send no mail, a mention does. */
export const callComment = (call: {
  thread: ThreadId;
  stamp: string;
  /** A login. */
  to: string;
  reason: string;
  /** Of the live comment. */
  url: string | null;
}): string => {
  const where =
    call.url === null ? "the comment above says more" : `[the comment above](${call.url}) says more`;
  return `${callMarker(call.thread, call.stamp)}\n${mention(call.to)}: ${call.reason}; ${where}.`;
};
