import { createHash } from "node:crypto";
import { join } from "node:path";
import { bugError } from "../base/errors.ts";
import { isThreadId, type ThreadId } from "../base/ids.ts";

/** The directories of one thread. Roles see `tree` and `output`, programs that play roles `home` too, and never the others. */
export type ThreadPlace = {
  directory: string;
  /** The work tree; its last part is its name inside the sandbox. */
  tree: string;
  /** Kept outputs. */
  output: string;
  /** The home directory of programs that remember something from run to run. */
  home: string;
  /** The engine's own git directory. */
  git: string;
  /** Written last: a directory without it is not finished. */
  state: string;
};

/** Where everything lies below the storage root. */
export type Layout = {
  /** What the storage root is called among those of all machines. */
  id: string;
  mirror(url: string): string;
  /** Holds a directory per thread, named by its id, beside others. */
  threads: string;
  thread(id: ThreadId): ThreadPlace;
  /** Used checkouts of one repository. */
  pool(url: string): string;
  /** For what is needed only during one call. */
  temporary: string;
};

export const layoutOf = (root: string, { id }: { id: string }): Layout => ({
  id,
  mirror: (url) => join(root, "mirrors", `${repositoryKey(url)}.git`),
  threads: join(root, "workspaces"),
  thread: (id) => {
    if (!isThreadId(id)) throw bugError(`${JSON.stringify(id)} is not a thread id`);
    return placeIn(join(root, "workspaces", id));
  },
  pool: (url) => join(root, "workspaces", "pool", repositoryKey(url)),
  temporary: join(root, "workspaces", "temporary"),
});

const placeIn = (directory: string): ThreadPlace => ({
  directory,
  tree: join(directory, "workspace"),
  output: join(directory, "output"),
  home: join(directory, "agent-home"),
  git: join(directory, "git"),
  state: join(directory, "state.json"),
});

/** One name per address, with a part that people can read. */
const repositoryKey = (url: string): string => {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  const slug = url
    .replace(/(\/?\.git)?\/*$/, "")
    .split(/[/:]+/)
    .slice(-2)
    .join("-")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(-60);
  return `${digest}-${slug}`;
};
