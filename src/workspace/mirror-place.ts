import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { LeaseStore } from "../store/hold-lease.ts";
import type { EngineGit } from "./engine-git.ts";
import type { KeptOf, Layout } from "./layout.ts";
import type { RepositoryLimits } from "./repository-limits.ts";
import { repositoryPlace } from "./repository-name.ts";
import { checkedUrl } from "./repository-url.ts";
import type { Remote } from "./workspace.ts";

export type MirrorParts = {
  git: EngineGit;
  store: LeaseStore;
  limits: RepositoryLimits;
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

/**
 * Works with the repository's mirror, where it is or will be; the token for it is taken back then. Throws `repository-invalid`, and
 * what the work throws.
 */
export const withMirror = async <T>(
  repository: string,
  parts: MirrorParts & { log: Log },
  work: (mirror: Mirror) => Promise<T>,
): Promise<T> => {
  const mirror = await mirrorOf(repository, parts);
  try {
    return await work(mirror);
  } finally {
    await giveUp(mirror.remote, parts.log);
  }
};

/** A token that cannot be taken back ends by itself before long. */
export const giveUp = async ({ url, giveUp }: Remote, log: Log): Promise<void> => {
  try {
    await giveUp?.();
  } catch (error) {
    log.info({ url, error: messageOf(error) }, "a token could not be taken back");
  }
};

const mirrorOf = async (repository: string, { layout, remoteFor }: MirrorParts): Promise<Mirror> => {
  const remote = await remoteFor(repository);
  const directory = layout.mirror(await keptOf(repository, checkedUrl(remote.url)));
  const key = `${layout.id}/${basename(directory)}`;
  return { repository, directory, key, objects: join(directory, "objects"), remote };
};

/**
 * A local repository has one name, whichever way it is reached. One on a forge is its installation's alone, and with an id goes by that:
 * it keeps its copy when it is renamed, and who gets its name afterwards does not get the copy.
 */
const keptOf = async (repository: string, url: string): Promise<KeptOf> => {
  const { forge, installationId, repositoryId } = repositoryPlace(repository);
  if (forge === "local") {
    const path = url.startsWith("/") ? await realpath(url).catch(() => url) : url;
    return { key: path, url: path };
  }
  const server = URL.parse(url)?.origin ?? "";
  const which = repositoryId === undefined ? url : `#${repositoryId}`;
  return { key: [server, forge, installationId ?? 0, which].join(" "), url };
};
