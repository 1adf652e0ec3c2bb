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
  /** For the sockets of proxies, while commands run. */
  network: string;
  /** The engine's own git directory. */
  git: string;
  /** Written last: a directory without it is not finished. */
  state: string;
};

/** Whose copy it is: `key` tells it from all others, and of the address `url` people see the end. */
export type KeptOf = { key: string; url: string };

/** Where everything lies below the storage root. */
export type Layout = {
  /** What the storage root is called among those of all machines. */
  id: string;
  mirror(of: KeptOf): string;
  /** Holds a directory per thread, named by its id, beside others. */
  threads: string;
  thread(id: ThreadId): ThreadPlace;
  /** Used checkouts of what one mirror has. */
  pool(mirror: string): string;
  /** For what is needed only during one call. */
  temporary: string;
};

export const layoutOf = (root: string, { id }: { id: string }): Layout => ({
  id,
  mirror: (of) => join(root, "mirrors", `${repositoryKey(of)}.git`),
  threads: join(root, "workspaces"),
  thread: (id) => {
    if (!isThreadId(id)) throw bugError(`${JSON.stringify(id)} is not a thread id`);
    return placeIn(join(root, "workspaces", id));
  },
  pool: (mirror) => join(root, "workspaces", "pool", repositoryKey({ key: mirror, url: mirror })),
  temporary: join(root, "workspaces", "temporary"),
});

const placeIn = (directory: string): ThreadPlace => ({
  directory,
  tree: join(directory, "workspace"),
  output: join(directory, "output"),
  home: join(directory, "agent-home"),
  network: join(directory, "network"),
  git: join(directory, "git"),
  state: join(directory, "state.json"),
});

/** One name per key, with a part that people can read. */
const repositoryKey = ({ key, url }: KeptOf): string => {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
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
