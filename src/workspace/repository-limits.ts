const GIGABYTE = 1024 ** 3;

/** How much of a repository is taken: nobody vouches for what a server sends. */
export type RepositoryLimits = {
  /** Of what one fetch brings, in the form in which it comes. */
  packBytes: number;
  /** Of the one object that takes most memory. Git sends nothing larger than 512 MiB that needs more. */
  objectBytes: number;
  /** Files of one commit, all together in the form in which they are checked out. */
  files: number;
  fileBytes: number;
  /** Branches and tags, each: with more, only those that are worked on are fetched. */
  refs: number;
  /** Milliseconds of one question, and of one fetch. */
  askMs: number;
  fetchMs: number;
};

export const repositoryLimits: RepositoryLimits = {
  packBytes: 16 * GIGABYTE,
  objectBytes: 640 * 1024 ** 2,
  files: 1_000_000,
  fileBytes: 32 * GIGABYTE,
  refs: 20_000,
  askMs: 5 * 60_000,
  fetchMs: 30 * 60_000,
};
