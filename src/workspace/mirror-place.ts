import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import type { LeaseStore } from "../store/hold-lease.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Layout } from "./layout.ts";
import { checkedUrl } from "./repository-url.ts";
import type { Remote } from "./workspace.ts";

export type MirrorParts = {
  git: EngineGit;
  store: LeaseStore;
  layout: Layout;
  remoteFor: (repository: string) => Promise<Remote>;
};

/** A bare copy of a repository that every thread reads and none writes. Nothing is ever pruned from it. */
export type Mirror = {
  repository: string;
  directory: string;
  /** What its lock is called: the same for every process that can reach the directory. */
  key: string;
  objects: string;
  remote: Remote;
};

/** Where the repository's mirror is, or will be. Throws `repository-invalid`. */
export const mirrorOf = async (repository: string, { layout, remoteFor }: MirrorParts): Promise<Mirror> => {
  const remote = await remoteFor(repository);
  const directory = layout.mirror(await identityOf(checkedUrl(remote.url)));
  const key = `${layout.id}/${basename(directory)}`;
  return { repository, directory, key, objects: join(directory, "objects"), remote };
};

/** One name for a local repository, whichever way it is reached. */
const identityOf = async (url: string): Promise<string> =>
  url.startsWith("/") ? realpath(url).catch(() => url) : url;
