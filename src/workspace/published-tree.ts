/** One path in which two trees differ; modes as git writes them, null on the side where it is not. */
export type TreeChange = { path: string; was: string | null; mode: string | null; object: string };

export type TreeLink = { path: string; target: string };

/** What one tree has of links and submodules. */
export type TreeLinks = { links: TreeLink[]; submodules: string[] };

/** A tree that is about to be published, read from git's objects, beside what the repository has without it. */
export type PublishedTree = {
  /** A renamed file is one that is gone and one that is new. */
  changes: TreeChange[];
  before: TreeLinks;
  after: TreeLinks;
  /** Of the files that matter, those that git or a forge would check out, pack or show differently because of the tree's rules. */
  ruledOtherwise(matters: (path: string) => boolean): Promise<string[]>;
  /** Of a changed file. */
  bytes(object: string): Promise<Buffer>;
};
