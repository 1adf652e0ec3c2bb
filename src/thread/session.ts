import { bugError } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Lease } from "../store/hold-lease.ts";
import type { Node } from "../store/node.ts";
import type { Usage } from "../store/payload.ts";
import type { History, ThreadRecord } from "../store/store.ts";
import type { Role, Workflow } from "../workflow/workflow.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Control, RunOptions } from "./control.ts";
import type { Engine } from "./engine.ts";
import type { StoreJournal } from "./journal.ts";
import type { Limit } from "./limits.ts";

/** The step that is under way. */
export type OpenStep = {
  role: Role;
  task: string;
  journal: StoreJournal;
  startedAt: number;
  /** The step as the agent wrote it itself; null when the engine writes it. */
  written: Node<"step"> | null;
  /** Nodes that the agent has made, or has read. */
  kept: Hash[];
  /** The limit that its agent says it has come to; null: none. */
  stoppedAt: Limit | null;
  /** The limit that the step has come to, if it has. */
  reached(): Limit | null;
};

/** One process's run of one thread. */
export type Session = {
  engine: Engine;
  workflow: Workflow;
  control: Control;
  /** Makes this run the only one. */
  lease: Lease;
  /** As last read or written. */
  record: ThreadRecord;
  history: History;
  current: OpenStep | null;
  /** The thread that has the workspace: this one, or the topmost of those in which it plays a role. */
  root: ThreadId;
  /** What the threads above have spent: see `spentAbove`. */
  outside: Usage;
  /** The steps that these have taken: see `roundsAbove`. */
  roundsOutside: number;
  waitOutMs: RunOptions["waitOutMs"];
  /** The thread's workspace, opened once. */
  workspace(): Promise<Workspace>;
};

/** The step that is under way, for what is called in one alone. */
export const openStepOf = ({ current }: Pick<Session, "current">): OpenStep => {
  if (current === null) throw bugError("no step is under way");
  return current;
};

/** The last step that was appended to the thread itself: a fork's first step follows its start. */
export const lastOwnStep = ({ history, record }: Pick<Session, "history" | "record">): Hash | null => {
  const last = history.steps.at(-1);
  return last !== undefined && last.step.start === record.start ? last.hash : null;
};
