import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../base/errors.ts";
import type { LeaseStore } from "../store/hold-lease.ts";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { entriesOf, exists } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import { gitFailure } from "./git-failure.ts";
import { withDirectoryLock } from "./mirror-lock.ts";
import type { Mirror } from "./mirror-place.ts";
import type { RepositoryLimits } from "./repository-limits.ts";

/** Every fetch makes a pack; this many are joined. */
const MANY_PACKS = 50;

type Options = {
  /** A name of an object of the source: its length tells the hash. */
  object: string;
  /** Refs that are wanted for certain: the only ones of a repository that has too many. */
  wanted: readonly string[];
  signal: AbortSignal;
  git: EngineGit;
  store: LeaseStore;
  limits: RepositoryLimits;
};

/**
 * Brings every branch into the mirror, which is made when it is not there. One process at a time. Throws
 * `repository-too-large`, `repository-shallow`, `repository-damaged` (fix-input), and what asking for a branch throws.
 */
export const fetchAll = (mirror: Mirror, { object, wanted, signal, ...parts }: Options): Promise<void> =>
  inMirror(mirror, { ...parts, signal }, async (held) => {
    if (!(await exists(join(mirror.directory, "HEAD")))) await makeMirror(mirror, object);
    await fetchRefs(mirror, { ...parts, wanted, signal: held });
    await joinPacks(mirror, parts.git);
  });

/** Asks for one commit by its name; not every server gives what no branch leads to. Answers whether it came. */
export const fetchCommit = (
  mirror: Mirror,
  commit: string,
  parts: Pick<Options, "signal" | "git" | "store" | "limits">,
): Promise<boolean> =>
  inMirror(mirror, parts, async (signal) => {
    const args = [...FETCH, "--no-tags", "--end-of-options", mirror.remote.url, commit];
    return (await parts.git.run({ args, ...boundedFetch(mirror, parts.limits), signal })).exitCode === 0;
  });

const FETCH = ["fetch", "--quiet", "--no-write-fetch-head"];

const boundedFetch = ({ directory, remote }: Mirror, limits: RepositoryLimits) => ({
  gitDir: directory,
  remote,
  timeoutMs: limits.fetchMs,
  maxFileBytes: limits.packBytes,
  objectBytes: limits.objectBytes,
});

/** A fetch that was cut off leaves what it had so far, which nobody needs. */
const inMirror = <T>(
  mirror: Mirror,
  { store, signal }: Pick<Options, "store" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withDirectoryLock(store, mirror, {
    signal,
    work: async (held) => {
      try {
        return await work(held);
      } finally {
        const packs = join(mirror.objects, "pack");
        for (const name of await entriesOf(packs))
          if (name.startsWith("tmp_")) await rm(join(packs, name), { force: true });
      }
    },
  });

const makeMirror = (mirror: Mirror, object: string): Promise<void> =>
  makeRepository(mirror.directory, {
    format: formatOf(object),
    head: "ref: refs/heads/uwf-none",
    alternates: [],
    config: ["bare = true", "sharedRepository = 0644"],
  });

const fetchRefs = async (
  mirror: Mirror,
  { wanted, signal, git, limits }: Omit<Options, "object" | "store">,
): Promise<void> => {
  const isSmall = await hasFewRefs(mirror, { signal, git, limits });
  const others = wanted.filter((ref) => !ref.startsWith("refs/heads/"));
  const [flags, refs] = isSmall ? [["--prune"], ["refs/heads/*", ...others]] : [["--no-tags"], wanted];
  if (refs.length === 0) return;
  const refspecs = [...new Set(refs)].map((ref) => `+${ref}:${ref}`);
  const { url } = mirror.remote;
  const args = [...FETCH, ...flags, "--end-of-options", url, ...refspecs];
  const { exitCode, stderr } = await git.run({ args, ...boundedFetch(mirror, limits), signal });
  // Git leaves such branches out, and says so.
  if (exitCode !== 0 || /shallow roots are not allowed/.test(stderr))
    throw gitFailure({ args, exitCode, stderr, url });
};

const REF_BYTES = 200;

/** Each branch is a file here, and a line in the repository of each role. */
const hasFewRefs = async (
  { remote }: Mirror,
  { signal, git, limits }: Pick<Options, "signal" | "git" | "limits">,
): Promise<boolean> => {
  const args = ["ls-remote", "--refs", "--heads", "--tags", "--end-of-options", remote.url];
  const maxOutputBytes = 2 * limits.refs * REF_BYTES;
  const many = new AppError("many", { code: "many-refs", remedy: "fix-input" });
  try {
    const listed = await git.text({
      ...{ args, remote, signal, timeoutMs: limits.askMs, objectBytes: limits.objectBytes },
      ...{ maxOutputBytes, onTooMuch: () => many },
    });
    const heads = listed.match(/\trefs\/heads\//g)?.length ?? 0;
    const tags = listed.match(/\trefs\/tags\//g)?.length ?? 0;
    return heads <= limits.refs && tags <= limits.refs;
  } catch (error) {
    if (error === many) return false;
    throw error;
  }
};

/** Joins small packs with their neighbours and keeps every object, also those that no branch leads to any more. */
const joinPacks = async (mirror: Mirror, git: EngineGit): Promise<void> => {
  const packs = (await readdir(join(mirror.objects, "pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length < MANY_PACKS) return;
  await git.text({ args: ["repack", "-d", "--quiet", "--geometric=2"], gitDir: mirror.directory });
};
