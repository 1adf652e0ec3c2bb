/** Where in a replayed thread. */
export type ReplayPlace = {
  /** The step's number, from 1 on; of what comes after the last finished one, the number that it would have. */
  step: number;
  role: string;
  /** The roles of the threads around it that another workflow played, outermost first: their steps have numbers of their own. */
  within: readonly string[];
};

/** A call of a tool as people find it again: its number among the calls of its step, from 1 on. */
export type ReplayedCall = { number: number; name: string; arguments: string };

export type DriftKind =
  /** A tool answered something else. */
  | "answer"
  /** The repository's setup commands came to something else. */
  | "setup"
  /** A file is another one after the step. */
  | "file"
  /** The files lie on another commit. */
  | "base"
  /** What the role handed in is read as another output, or as none. */
  | "output"
  /** The workflow goes on elsewhere, or with another task. */
  | "decision";

/** One difference from the record. `diff` has its lines: `-` recorded, `+` now. */
export type Drift = ReplayPlace & {
  kind: DriftKind;
  what: string;
  call: ReplayedCall | null;
  diff: readonly string[];
};

/** What was taken from the record, or could not be judged, and why. */
export type Remark = ReplayPlace & { call: ReplayedCall | null; what: string };

/** How a step, or what there is of an unfinished one, was replayed. */
export type ReplayedStep = ReplayPlace & {
  finished: boolean;
  /** Calls that ran again. */
  calls: number;
  drift: readonly Drift[];
  remarks: readonly Remark[];
  ms: number;
};

export type Replay = {
  thread: string;
  /** The workflow that decided: the recorded one, unless another was given. */
  workflow: { name: string; hash: string };
  steps: readonly ReplayedStep[];
  drift: readonly Drift[];
  remarks: readonly Remark[];
};
