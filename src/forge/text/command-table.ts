/** Commands that people write in comments, on a line of their own. */
export const commandNames = [
  "solve",
  "plan",
  "design",
  "approve",
  "stop",
  "pause",
  "resume",
  "retry",
  "fork",
  "run",
  "fix",
  "ci",
  "review",
  "status",
  "help",
] as const;
export type CommandName = (typeof commandNames)[number];

export const optionNames = ["model", "budget", "workflow", "edit", "copy"] as const;
export type OptionName = (typeof optionNames)[number];

export type CommandRow = {
  /** As people write it. */
  usage: string;
  does: string;
  /** Where it means something. */
  on: "issues" | "pull requests" | "both";
  options: readonly OptionName[];
};

const START: readonly OptionName[] = ["model", "budget", "workflow"];
const WORK: readonly OptionName[] = ["model", "budget"];

/** What each command does: the help, the parser and the comment all read this. */
export const commandTable: Readonly<Record<CommandName, CommandRow>> = {
  solve: {
    usage: "/solve [note]",
    does: "works on the issue and opens a pull request",
    on: "issues",
    options: START,
  },
  plan: { usage: "/plan [note]", does: "makes a plan and waits for `/approve`", on: "issues", options: WORK },
  design: {
    usage: "/design [what you want]",
    does: "talks with you about a workflow, new or one to edit or copy, and opens a pull request with its file",
    on: "issues",
    options: ["edit", "copy", ...WORK],
  },
  approve: { usage: "/approve", does: "goes on with the plan that is shown", on: "issues", options: [] },
  stop: { usage: "/stop", does: "ends the work now; what is done is kept", on: "both", options: [] },
  pause: { usage: "/pause", does: "lets it rest after what it is doing", on: "both", options: [] },
  resume: { usage: "/resume [note]", does: "lets it go on", on: "both", options: [] },
  retry: { usage: "/retry", does: "starts over", on: "both", options: WORK },
  fork: {
    usage: "/fork <step> [note]",
    does: "goes on from that step another way, in a pull request of its own",
    on: "both",
    options: ["model"],
  },
  run: { usage: "/run <workflow> [input]", does: "runs another workflow", on: "both", options: WORK },
  fix: {
    usage: "/fix [note]",
    does: "works on open review comments and your note",
    on: "pull requests",
    options: WORK,
  },
  ci: { usage: "/ci", does: "works on checks that fail", on: "pull requests", options: WORK },
  review: {
    usage: "/review [note]",
    does: "reviews the pull request",
    on: "pull requests",
    options: WORK,
  },
  status: { usage: "/status", does: "brings the comment up to date", on: "both", options: [] },
  help: { usage: "/help", does: "shows these commands", on: "both", options: [] },
};
