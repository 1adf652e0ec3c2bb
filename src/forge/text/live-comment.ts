import type { ThreadStatus } from "../../store/store.ts";
import { amounts } from "./amounts.ts";
import { inlineCode } from "./inline-code.ts";
import { threadMarker } from "./marker.ts";
import { neutralize, neutralizeLine } from "./neutralize.ts";
import type { CommandName, RoleView, ThreadView } from "./thread-view.ts";

/** Forges refuse comments from 65,536 characters on. */
const MAX_CHARS = 60_000;
const SUMMARY_CHARS = 4_000;

/** The Markdown of a thread's one comment, edited in place as the thread goes on. */
export const liveComment = (view: ThreadView): string => {
  const whole = render(view, SUMMARY_CHARS);
  if (whole.length <= MAX_CHARS) return whole;
  const share = Math.floor(40_000 / Math.max(1, view.roles.length));
  const shorter = render(view, Math.min(SUMMARY_CHARS, Math.max(200, share)));
  return shorter.length <= MAX_CHARS ? shorter : render({ ...view, roles: view.roles.slice(-40) }, 500);
};

const render = (view: ThreadView, summaryChars: number): string =>
  [
    `${threadMarker(view.thread)}\n${stateLine(view)}`,
    view.roles.map(checklistItem).join("\n"),
    ...view.roles.flatMap((role) => details(role, summaryChars)),
    footer(view),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const stateLine = (view: ThreadView): string => {
  const reason = view.reason === null ? "" : ` ${sentence(neutralizeLine(view.reason, { maxChars: 500 }))}`;
  return `**${STATES[view.state]}.**${reason}${happened(view)}`;
};

const STATES: Readonly<Record<ThreadStatus, string>> = {
  queued: "Queued",
  running: "Working",
  paused: "Paused",
  suspended: "Waiting for an answer",
  completed: "Done",
  failed: "Failed",
  cancelled: "Stopped",
};

const happened = ({ pullRequest, branch, state, roles }: ThreadView): string => {
  if (pullRequest !== null) {
    const kind = pullRequest.draft ? "draft pull request" : "pull request";
    return ` See ${kind} [#${pullRequest.number}](${pullRequest.url}).`;
  }
  if (branch !== null) {
    const name = inlineCode(branch.name);
    return ` The work so far is on ${branch.url === null ? name : `[${name}](${branch.url})`}.`;
  }
  if (state === "queued") return " It begins as soon as a worker is free.";
  const now = roles.find((role) => role.state === "running");
  return state === "running" && now !== undefined ? ` ${inlineCode(now.name)} is at it.` : "";
};

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const checklistItem = ({ name, state }: RoleView): string => {
  const note = { waiting: "", running: " (now)", done: "", failed: " (failed)" }[state];
  return `- [${state === "done" ? "x" : " "}] ${inlineCode(name)}${note}`;
};

const details = (role: RoleView, summaryChars: number): string[] => {
  if (role.summary === null || (role.state !== "done" && role.state !== "failed")) return [];
  const summary = [`<code>${tagText(role.name)}</code>`, amounts(role)]
    .filter((part) => part !== "")
    .join(" · ");
  return [
    `<details>\n<summary>${summary}</summary>\n\n${neutralize(role.summary, { maxChars: summaryChars })}\n\n</details>`,
  ];
};

/** Text between tags, where Markdown does not reach. */
const tagText = (text: string): string =>
  neutralizeLine(text, { maxChars: 100 }).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const footer = (view: ThreadView): string =>
  [
    ...helpNow(view),
    `<sub>${inlineCode(view.workflow)} · ${amounts(view)} · thread ${inlineCode(view.thread)}</sub>`,
  ].join("\n\n");

/** What each command does, in the states in which it helps. */
const HELP: Readonly<Record<CommandName, { states: readonly ThreadStatus[]; does: string }>> = {
  resume: { states: ["paused", "suspended"], does: "`/resume [note]` lets it go on" },
  retry: { states: ["failed", "cancelled"], does: "`/retry` starts over" },
  pause: { states: ["running"], does: "`/pause` lets it rest" },
  stop: { states: ["queued", "running", "paused", "suspended"], does: "`/stop` ends it" },
  status: { states: [], does: "`/status` reports" },
};

const helpNow = ({ commands, state, thread }: ThreadView): string[] => {
  const helpful = Object.entries(HELP).filter(
    ([command, { states }]) => commands.some((known) => known === command) && states.includes(state),
  );
  if (helpful.length > 0) return [helpful.map(([, { does }]) => does).join(" · ")];
  if (state !== "paused" && state !== "suspended") return [];
  return [`On the bot's machine, ${inlineCode(`uwf thread resume ${thread} "your note"`)} lets it go on.`];
};
