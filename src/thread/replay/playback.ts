import type { Hash } from "../../base/ids.ts";
import type { Redact } from "../../base/redact.ts";
import type { Store } from "../../store/store.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import type { ReplayedStep } from "./drift.ts";
import type { ScratchStore } from "./scratch-store.ts";
import type { Stage } from "./stage.ts";

export type ReplayParts = {
  /** What is recorded. Nothing is written to it. */
  recorded: Store;
  /** The same, and what the workspaces of the replay capture. */
  scratch: ScratchStore;
  workspaces: Workspaces;
  /** As what is recorded was masked. Absent: nothing is. */
  redact?: Redact;
};

/** One replay that is under way. */
export type Playback = ReplayParts & {
  stage: Stage;
  signal: AbortSignal;
  /** When the recorded thread began, and when its replay did (milliseconds since the epoch). */
  times: { recordedFrom: number; from: number };
  /** The workflow that decides in a thread instead of the recorded one; null: the recorded one does. */
  insteadOf(recorded: Workflow, within: readonly string[]): Workflow | null;
  /** Of the thread whose steps are played now. */
  instead: Workflow | null;
  /** Steps, and turns of unfinished ones, that are played already. */
  played: Set<Hash>;
  /** Differences of files that were told already. */
  told: Set<string>;
  onStep(step: ReplayedStep): void;
  /** Makes the workspace anew, with these files; absent: as they are. */
  renew(files?: Hash | null): Promise<void>;
};
