/** How one edge fared. `edge`: its place in the table. */
export type EdgeResult = {
  edge: number;
  from: string;
  to: string;
  when: string | null;
  ok: boolean;
  /** What is wrong with it; null: it was taken and its prompt could be made. */
  finding: string | null;
};

/** What the checks found in a file. */
export type DryRun = {
  ok: boolean;
  /** Of a file that did not load: `file:line:column: problem`, one each. */
  problems: readonly string[];
  /** Empty when the file did not load. */
  edges: readonly EdgeResult[];
  end_reached: boolean;
};
