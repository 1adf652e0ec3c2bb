import { moment } from "./amounts.ts";
import { inlineCode } from "./inline-code.ts";
import { neutralizeLine } from "./neutralize.ts";
import type { Awaited, Linked, ThreadView } from "./thread-view.ts";

/** How a thread stands, in a line: `**Working.** …`. */
export const stateLine = (view: ThreadView): string => {
  const title = stateTitle(view);
  const [why] = reason(view);
  // "Paused by mona." says it all.
  const start = why?.startsWith(`${title} `)
    ? [`**${title}**${why.slice(title.length)}`]
    : [`**${title}.**`, ...(why === undefined ? [] : [why])];
  return [...start, ...now(view), ...result(view)].join(" ");
};

/** In a few words. */
export const stateTitle = ({ state, awaits }: ThreadView): string => {
  switch (state) {
    case "queued":
      return awaits?.kind === "retry" ? "Waiting" : "Queued";
    case "suspended":
      return awaits === null ? SUSPENDED.person : SUSPENDED[awaits.kind];
    case "running":
      return "Working";
    case "paused":
      return "Paused";
    case "completed":
      return "Done";
    case "failed":
      return "Failed";
    case "cancelled":
      return "Stopped";
  }
};

const SUSPENDED: Readonly<Record<Awaited["kind"], string>> = {
  answer: "Waiting for an answer",
  comment: "Waiting for an answer",
  failure: "Failed",
  approval: "Waiting for approval of the plan below",
  person: "Waiting for a person",
  worker: "Waiting",
  retry: "Waiting",
};

const MAX_REASON_CHARS = 1_000;
const STANDS_BELOW: readonly (Awaited["kind"] | undefined)[] = ["answer", "failure", "approval"];

/** A question and a plan stand for themselves, and that it is tried again is said with the time. */
const reason = ({ reason, awaits }: ThreadView): string[] => {
  if (reason === null || STANDS_BELOW.includes(awaits?.kind)) return [];
  const text = awaits?.kind === "retry" ? reason.replace(/ It will be tried again\.$/, "") : reason;
  return [sentence(neutralizeLine(text, { maxChars: MAX_REASON_CHARS }))];
};

const sentence = (text: string): string => (/[.!?…][)"”`]?$/.test(text) ? text : `${text}.`);

const now = ({ state, awaits, roles }: ThreadView): string[] => {
  if (awaits?.kind === "worker") return ["It begins as soon as a worker is free."];
  if (awaits?.kind === "retry") return [`The next try is at ${moment(awaits.at)}.`];
  if (awaits?.kind === "approval" && awaits.base !== null)
    return [`It was made for commit ${inlineCode(awaits.base.slice(0, 12))}.`];
  const role = roles.find((each) => each.state === "running");
  if (state !== "running" || role === undefined) return [];
  const name = inlineCode(role.name);
  return [
    role.since === null ? `${name} is at work.` : `${name} has been at work since ${moment(role.since)}.`,
  ];
};

const result = (view: ThreadView): string[] => [
  ...pushed(view),
  ...answers(view),
  ...review(view),
  ...unpublished(view),
];

const unpublished = ({ unpublished: files, workflow }: ThreadView): string[] =>
  files === 0
    ? []
    : [
        `Nothing was pushed: no role of ${inlineCode(workflow)} publishes. ${files === 1 ? "The file that it changed is" : `The ${files} files that it changed are`} kept with its last step.`,
      ];

const answers = ({ answered }: ThreadView): string[] =>
  answered === 0 ? [] : [`It answered ${answered === 1 ? "1 conversation" : `${answered} conversations`}.`];

const review = ({ reviewed }: ThreadView): string[] =>
  reviewed === null ? [] : [`It reviewed ${linked(reviewed)}.`];

const pushed = ({ pullRequest, branch, commit, state }: ThreadView): string[] => {
  if (commit !== null) return [`It pushed ${linked(commit)}.`];
  if (pullRequest !== null) {
    const link = `[#${pullRequest.number}](${pullRequest.url})`;
    if (state !== "completed") return [`The work so far is in pull request ${link}.`];
    return [`Pull request ${link} ${DRAFT[pullRequest.draft]}.`];
  }
  return branch === null ? [] : [`The work so far is on ${linked(branch)}.`];
};

const DRAFT = {
  "until-checks-pass": "is open, as a draft until its checks pass",
  yes: "is open, as a draft",
  no: "is ready for review",
} as const;

const linked = ({ name, url }: Linked): string =>
  url === null ? inlineCode(name) : `[${inlineCode(name)}](${url})`;
