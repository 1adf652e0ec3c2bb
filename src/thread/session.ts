import type { Lease } from "../store/hold-lease.ts";
import type { History, ThreadRecord } from "../store/store.ts";
import type { Role, Workflow } from "../workflow/workflow.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Control } from "./control.ts";
import type { Engine } from "./engine.ts";
import type { StoreJournal } from "./journal.ts";
import type { Limit } from "./limits.ts";

/** The step that is under way. */
export type OpenStep = {
  role: Role;
  task: string;
  journal: StoreJournal;
  startedAt: number;
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
  /** The thread's workspace, opened once. */
  workspace(): Promise<Workspace>;
};
