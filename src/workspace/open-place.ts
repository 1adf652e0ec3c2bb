import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../store/store.ts";
import type { Missing } from "./base-tree.ts";
import { checkOut, furnish, giveTo, makeOutput, moveCheckout } from "./checkout.ts";
import { isDirectory, makeReadable, removeTree } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Layout, ThreadPlace } from "./layout.ts";
import { requireCommit } from "./mirror.ts";
import { type Mirror, type MirrorParts, withMirror } from "./mirror-place.ts";
import { takeFromPool } from "./pool.ts";
import { restoreTree } from "./restore.ts";
import { makeEmptyRepository, makeRoleRepository } from "./role-git.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { isCurrent, readState, type ThreadState, writeState } from "./thread-state.ts";
import type { WantedWorkspace } from "./workspace.ts";

export type OpenParts = {
  layout: Layout;
  git: EngineGit;
  store: Pick<Store, "load" | "loadAll">;
  sandbox: Sandbox;
  log: Log;
  /** Looks at a commit before it is checked out: see `requireCheckable`. */
  checkable: (mirror: Mirror, commit: string) => Promise<Missing>;
};

/**
 * Takes up the thread's directory as it is, or makes it: from a used checkout of the same repository when there is
 * one. A directory that was not finished, or that another machine has left behind, is made anew.
 */
export const openPlace = async (
  thread: ThreadId,
  wanted: WantedWorkspace | null,
  parts: OpenParts & MirrorParts,
): Promise<ThreadState> => {
  const place = parts.layout.thread(thread);
  const state = await readState(place);
  if (state !== undefined && isCurrent(state, { wanted, here: parts.layout.id })) {
    await mendRoleRepository(place, state, parts);
    return state;
  }
  await removeTree(place.directory);
  const made = wanted === null ? await makeScratch(place, parts) : await makeFor(place, wanted, parts);
  await writeState(place, made);
  return made;
};

/** Roles may have removed or replaced their repository; what they committed in it otherwise stays. */
const mendRoleRepository = async (
  place: ThreadPlace,
  { mirror, base }: ThreadState,
  { git, sandbox }: OpenParts,
): Promise<void> => {
  if (mirror === null || base === null || (await isDirectory(join(place.tree, ".git")))) return;
  await makeRoleRepository(place, { base, mirror, git });
  await giveTo(sandbox.owner, place.tree);
};

const makeScratch = async (place: ThreadPlace, { sandbox }: OpenParts): Promise<ThreadState> => {
  await makeReadable(place.tree);
  await makeEmptyRepository(place);
  await makeOutput(place);
  await giveTo(sandbox.owner, place.tree);
  return { repository: null, mirror: null, pool: null, base: null, captures: [], ready: false };
};

const makeFor = (
  place: ThreadPlace,
  wanted: WantedWorkspace,
  parts: OpenParts & MirrorParts,
): Promise<ThreadState> =>
  withMirror(wanted.repository, parts, (mirror) => makeFrom(mirror, place, wanted, parts));

const makeFrom = async (
  mirror: Mirror,
  place: ThreadPlace,
  { repository, base, captured }: WantedWorkspace,
  parts: OpenParts & MirrorParts,
): Promise<ThreadState> => {
  await requireCommit(mirror, { ...parts, commit: base, signal: new AbortController().signal });
  tellMissing(repository, await parts.checkable(mirror, base), parts);
  const pool = parts.layout.pool(mirror.directory);
  await checkOutSomehow(place, { pool, mirror, base }, parts);
  if (captured !== null) await restoreTree(place, await parts.store.load("workspace", captured), parts);
  const options = { base, mirror: mirror.directory, git: parts.git };
  await furnish(place, { ...options, owner: parts.sandbox.owner });
  const captures = captured === null ? [] : [captured];
  return { repository, mirror: mirror.directory, pool, base, captures, ready: false };
};

const SHOWN = 10;

const tellMissing = (repository: string, { submodules, largeFiles }: Missing, { log }: OpenParts): void => {
  if (submodules.length > 0)
    log.warn(
      { repository, submodules: submodules.slice(0, SHOWN), count: submodules.length },
      "submodules are not fetched: their folders are empty",
    );
  if (largeFiles)
    log.warn({ repository }, "files of Git LFS are not fetched: the workspace has the pointers to them");
};

/** A used checkout in a state that git cannot mend is thrown away. */
const checkOutSomehow = async (
  place: ThreadPlace,
  { pool, mirror, base }: { pool: string; mirror: Mirror; base: string },
  { git, log }: OpenParts,
): Promise<void> => {
  const options = { base, mirror: mirror.directory, git };
  if (await takeFromPool(pool, place)) {
    try {
      await moveCheckout(place, options);
      return;
    } catch (error) {
      log.warn(
        { workspace: place.directory, error: messageOf(error) },
        "a used checkout could not be reused",
      );
      await removeTree(place.directory);
    }
  }
  await checkOut(place, options);
};
