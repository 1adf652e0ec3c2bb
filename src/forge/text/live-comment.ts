import { exactMoney } from "../../base/exact-money.ts";
import { amounts } from "./amounts.ts";
import { commandsNow } from "./commands-now.ts";
import { inlineCode } from "./inline-code.ts";
import { threadMarker } from "./marker.ts";
import { neutralize } from "./neutralize.ts";
import { noticeText } from "./notice.ts";
import { planBlock } from "./plan.ts";
import { refusedHosts } from "./refused-hosts.ts";
import { checklist, type Summary, summaryBox } from "./role-list.ts";
import { leftOutText } from "./shown/left-out.ts";
import { stateLine } from "./state-line.ts";
import type { RoleView, ThreadView } from "./thread-view.ts";

/** Forges refuse comments from 65,536 characters on. */
const MAX_CHARS = 60_000;
const SUMMARY_CHARS = 4_000;
const QUESTION_CHARS = 8_000;
/** What the last of many roles are shown with when everything else is too much. */
const LAST_ROLES = 20;
const LEAST_CHARS = 300;

/** The Markdown of a thread's one comment, edited in place as the thread goes on. */
export const liveComment = (view: ThreadView): string => {
  const steps = numbered(view);
  const ifItFits = (shown: readonly Summary[], maxChars: number): string | null => {
    const text = render(view, { steps: shown, maxChars });
    return text.length <= MAX_CHARS ? text : null;
  };
  const share = Math.floor(20_000 / Math.max(1, steps.length));
  return (
    ifItFits(steps, SUMMARY_CHARS) ??
    ifItFits(steps, Math.max(LEAST_CHARS, Math.min(SUMMARY_CHARS, share))) ??
    render(view, { steps: steps.slice(-LAST_ROLES), maxChars: LEAST_CHARS })
  );
};

const numbered = ({ roles }: ThreadView): Summary[] => {
  let step = 0;
  return roles.map((role) => ({
    role,
    step: isFinished(role) ? ++step : null,
  }));
};

/** What a role has used that failed in the middle of its step is no step's. */
const isFinished = ({ state, usage }: RoleView): boolean =>
  state === "done" || state === "asked" || (state === "failed" && usage !== null);

const render = (
  view: ThreadView,
  { steps, maxChars }: { steps: readonly Summary[]; maxChars: number },
): string => {
  // What waits for a person stands open above.
  const last = steps.findLastIndex(({ step }) => step !== null);
  const isOpen = ["answer", "failure", "approval"].includes(view.awaits?.kind ?? "");
  return [
    `${threadMarker(view.thread)}\n${stateLine(view)}`,
    ...notice(view),
    ...hidden(view),
    ...awaited(view),
    checklist(steps.map(({ role }) => role)),
    ...steps.flatMap((each, index) => (isOpen && index === last ? [] : summaryBox(each, { maxChars }))),
    refusedHosts(view.refused),
    commandsNow(view),
    footer(view),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
};

const notice = ({ notice }: ThreadView): string[] => (notice === null ? [] : [quoted(noticeText(notice))]);

const hidden = ({ leftOut, on }: ThreadView): string[] => {
  const left = leftOutText(leftOut);
  return left === ""
    ? []
    : [`Hidden text in the ${on === "issues" ? "issue" : "pull request"} was left out: ${left}.`];
};

const awaited = ({ awaits }: ThreadView): string[] => {
  if (awaits?.kind === "approval") return [planBlock(awaits.plan)];
  if (awaits?.kind === "answer" || awaits?.kind === "failure")
    return [quoted(neutralize(awaits.question, { maxChars: QUESTION_CHARS }))];
  return [];
};

const quoted = (text: string): string => text.replace(/^/gm, "> ");

const footer = (view: ThreadView): string => {
  const parts = [
    inlineCode(view.workflow),
    amounts({ ms: view.ms, usage: view.usage }),
    ...left(view),
    ...origin(view),
    `thread ${inlineCode(view.thread)}`,
  ];
  return `<sub>${parts.filter((part) => part !== "").join(" · ")}</sub>`;
};

const isEnded = (state: ThreadView["state"]): boolean =>
  state === "completed" || state === "failed" || state === "cancelled";

const left = ({ budget, usage, state }: ThreadView): string[] => {
  if (budget === null || usage.costUsd === null || isEnded(state)) return [];
  const used =
    Math.abs(usage.costUsd - budget.spentUsd) < 0.005
      ? ""
      : `${exactMoney(budget.spentUsd)} since it went on, `;
  return [
    `${used}${exactMoney(Math.max(0, budget.limitUsd - budget.spentUsd))} of ${exactMoney(budget.limitUsd)} left`,
  ];
};

/** What began it, where that was no command. */
const TRIGGERS: Readonly<Record<string, string>> = {
  label: "label",
  review: "review",
  checks: "failed checks",
};

/** The trigger `review` is somebody's review, or the command, whose work alone is this workflow's. */
const begunBy = ({ trigger, workflow }: Pick<ThreadView, "trigger" | "workflow">): string => {
  if (trigger === null || trigger === "") return "";
  const event = trigger === "review" && workflow === "review-pr" ? undefined : TRIGGERS[trigger];
  return ` (${event ?? inlineCode(`/${trigger}`)})`;
};

const origin = (view: ThreadView): string[] => {
  const { requester, forkOf } = view;
  return [
    requester === null ? "for the bot's operator" : `for ${inlineCode(requester)}${begunBy(view)}`,
    ...(forkOf === null ? [] : [`forked from thread ${inlineCode(forkOf)}`]),
  ];
};
