import type { Command } from "./command.ts";

export type CommandEntry = {
  /** One or two words. */
  name: string;
  summary: string;
  /** Each command is imported when it is called, and only that one. */
  load(): Promise<{ command: Command }>;
};

export const commands: readonly CommandEntry[] = [
  {
    name: "setup",
    summary: "Write a first configuration.",
    load: () => import("./setup.ts"),
  },
  {
    name: "doctor",
    summary: "Look for what is missing here, and say how to get it.",
    load: () => import("./doctor.ts"),
  },
  {
    name: "start",
    summary: "Serve webhooks and work on threads.",
    load: () => import("./start.ts"),
  },
  {
    name: "worker",
    summary: "Work on threads beside a bot.",
    load: () => import("./worker.ts"),
  },
  {
    name: "solve",
    summary: "Solve an issue in a repository, here and now.",
    load: () => import("./solve.ts"),
  },
  {
    name: "workflow put",
    summary: "Check a workflow file and register it under its name.",
    load: () => import("./workflow/put.ts"),
  },
  {
    name: "workflow list",
    summary: "List the workflows that can be run by name.",
    load: () => import("./workflow/list.ts"),
  },
  {
    name: "workflow show",
    summary: "Show a workflow's roles and moderator table.",
    load: () => import("./workflow/show.ts"),
  },
  {
    name: "workflow validate",
    summary: "Check workflow files.",
    load: () => import("./workflow/validate.ts"),
  },
  {
    name: "workflow graph",
    summary: "Print a workflow as a Mermaid diagram.",
    load: () => import("./workflow/graph.ts"),
  },
  {
    name: "thread start",
    summary: "Create a thread, to be run by a worker or by `thread run`.",
    load: () => import("./thread/start.ts"),
  },
  {
    name: "thread step",
    summary: "Run a thread for one step.",
    load: () => import("./thread/step.ts"),
  },
  {
    name: "thread run",
    summary: "Run a thread until it ends or waits for a person.",
    load: () => import("./thread/run.ts"),
  },
  {
    name: "thread list",
    summary: "List threads, the newest first.",
    load: () => import("./thread/list.ts"),
  },
  {
    name: "thread show",
    summary: "Show where a thread stands and what to do next.",
    load: () => import("./thread/show.ts"),
  },
  {
    name: "thread steps",
    summary: "List a thread's steps with their outputs.",
    load: () => import("./thread/steps.ts"),
  },
  {
    name: "thread step-details",
    summary: "Show every turn of one step.",
    load: () => import("./thread/step-details.ts"),
  },
  {
    name: "thread context",
    summary: "Print what the agent of a role is told.",
    load: () => import("./thread/context.ts"),
  },
  {
    name: "thread pause",
    summary: "Let a thread stop after the turn under way.",
    load: () => import("./thread/pause.ts"),
  },
  {
    name: "thread resume",
    summary: "Let a thread go on, with a note if there is one.",
    load: () => import("./thread/resume.ts"),
  },
  {
    name: "thread cancel",
    summary: "End a thread now.",
    load: () => import("./thread/cancel.ts"),
  },
  {
    name: "thread fork",
    summary: "Go on from a finished step in a thread of its own.",
    load: () => import("./thread/fork.ts"),
  },
  {
    name: "thread replay",
    summary: "Play a thread again without a model, and show what differs.",
    load: () => import("./thread/replay.ts"),
  },
  {
    name: "thread diff",
    summary: "Show what two threads share, and where they part.",
    load: () => import("./thread/diff.ts"),
  },
  {
    name: "thread rm",
    summary: "Remove a thread that is not running.",
    load: () => import("./thread/rm.ts"),
  },
  {
    name: "cas get",
    summary: "Print a node.",
    load: () => import("./cas/get.ts"),
  },
  {
    name: "cas put",
    summary: "Store a node.",
    load: () => import("./cas/put.ts"),
  },
  {
    name: "cas refs",
    summary: "List the nodes that a node refers to.",
    load: () => import("./cas/refs.ts"),
  },
  {
    name: "cas walk",
    summary: "Show everything that a node leads to, as a tree.",
    load: () => import("./cas/walk.ts"),
  },
  {
    name: "cas verify",
    summary: "Check every node of the store.",
    load: () => import("./cas/verify.ts"),
  },
  {
    name: "gc",
    summary: "Delete the nodes that nothing leads to.",
    load: () => import("./gc.ts"),
  },
  {
    name: "store copy",
    summary: "Copy everything between uwf.db and PostgreSQL.",
    load: () => import("./store/copy.ts"),
  },
];
