/** A part of a page or a workflow file. */
export type Passage = { source: string; heading: string; text: string };

/** What is written down here: workflows and documentation. */
export interface Library {
  /** The passages that fit best, at most `limit`, best first. */
  search(query: string, limit: number): Promise<Passage[]>;
}
