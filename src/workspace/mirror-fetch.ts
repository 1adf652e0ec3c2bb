import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LeaseStore } from "../store/hold-lease.ts";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { exists } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import { withDirectoryLock } from "./mirror-lock.ts";
import type { Mirror } from "./mirror-place.ts";

const NETWORK_MS = 30 * 60_000;

/** Every fetch makes a pack; this many are joined. */
const MANY_PACKS = 50;

type Options = {
  /** A name of an object of the source: its length tells the hash. */
  object: string;
  /** A ref to bring beside the branches. */
  also?: string;
  signal: AbortSignal;
  git: EngineGit;
  store: LeaseStore;
};

/** Brings every branch into the mirror, which is made when it is not there. One process at a time. */
export const fetchAll = (mirror: Mirror, { object, also, signal, git, store }: Options): Promise<void> =>
  withDirectoryLock(store, mirror, {
    signal,
    work: async (held) => {
      if (!(await exists(join(mirror.directory, "HEAD")))) await makeMirror(mirror, object);
      await fetchBranches(mirror, { also, signal: held, git });
      await joinPacks(mirror, git);
    },
  });

/** Asks for one commit by its name; not every server gives what no branch leads to. Answers whether it came. */
export const fetchCommit = async (
  mirror: Mirror,
  commit: string,
  { signal, git }: Pick<Options, "signal" | "git">,
): Promise<boolean> => {
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--end-of-options",
    mirror.remote.url,
    commit,
  ];
  const at = { gitDir: mirror.directory, remote: mirror.remote, timeoutMs: NETWORK_MS, signal };
  return (await git.run({ args, ...at })).exitCode === 0;
};

const makeMirror = (mirror: Mirror, object: string): Promise<void> =>
  makeRepository(mirror.directory, {
    format: formatOf(object),
    head: "ref: refs/heads/uwf-none",
    alternates: [],
    config: ["bare = true", "sharedRepository = 0644"],
  });

const fetchBranches = (
  mirror: Mirror,
  { also, signal, git }: Pick<Options, "signal" | "git"> & { also: string | undefined },
): Promise<string> =>
  git.text({
    args: [
      ...["fetch", "--quiet", "--prune", "--no-write-fetch-head", "--end-of-options", mirror.remote.url],
      "+refs/heads/*:refs/heads/*",
      ...(also === undefined ? [] : [`+${also}:${also}`]),
    ],
    gitDir: mirror.directory,
    remote: mirror.remote,
    timeoutMs: NETWORK_MS,
    signal,
  });

/** Joins small packs with their neighbours and keeps every object, also those that no branch leads to any more. */
const joinPacks = async (mirror: Mirror, git: EngineGit): Promise<void> => {
  const packs = (await readdir(join(mirror.objects, "pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length < MANY_PACKS) return;
  await git.text({ args: ["repack", "-d", "--quiet", "--geometric=2"], gitDir: mirror.directory });
};
