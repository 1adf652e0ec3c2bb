import { chmod, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { inputError } from "../base/errors.ts";
import { type Hash, isThreadId, type ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { remembered } from "../base/remembered.ts";
import type { LeaseStore } from "../store/hold-lease.ts";
import type { Store } from "../store/store.ts";
import { type Missing, requireCheckable } from "./base-tree.ts";
import { captureTree } from "./capture.ts";
import { type CaptureMemory, captureMemories } from "./capture-memory.ts";
import { entriesOf, removeTree } from "./directories.ts";
import { engineGit } from "./engine-git.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { fetchBranch, fetchPullRequest, requireCommit } from "./mirror.ts";
import { fileOf } from "./mirror-file.ts";
import { giveUp, type Mirror, type MirrorParts, withMirror } from "./mirror-place.ts";
import { type Networks, noNetworks, type ThreadReach } from "./network/network.ts";
import { type OpenParts, openPlace } from "./open-place.ts";
import { placeName } from "./place-name.ts";
import { giveToPool } from "./pool.ts";
import { pushTree } from "./push.ts";
import { type RepositoryLimits, repositoryLimits } from "./repository-limits.ts";
import { replaceTree } from "./restore.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { addCapture, readState, writeState } from "./thread-state.ts";
import { threadWorkspace } from "./thread-workspace.ts";
import type { Remote, Workspaces } from "./workspace.ts";

export type GitWorkspacesOptions = {
  /** The storage root: absolute, readable by its owner alone. */
  root: string;
  store: Pick<Store, "put" | "load" | "loadAll" | keyof LeaseStore>;
  sandbox: Sandbox;
  log: Log;
  /** What commands reach; without it, nothing. */
  networks?: Networks;
  /** Where a repository is fetched from; without it, its name is its path or address and needs no token. */
  remoteFor?: (repository: string) => Promise<Remote>;
  limits?: Partial<RepositoryLimits>;
  /** This process's environment, of which git gets proxies, certificates and the search path. */
  env?: Readonly<Record<string, string | undefined>>;
};

type Parts = OpenParts & MirrorParts & { store: GitWorkspacesOptions["store"] };

const NOTHING_MORE: ThreadReach = { repository: [], onRefused: async () => undefined };
const byName = async (repository: string): Promise<Remote> => ({ url: repository, token: null });
const unlimited = (): AbortSignal => new AbortController().signal;

/**
 * Workspaces made by git from a mirror per repository, below the storage root: `mirrors/` and `workspaces/`. The
 * engine's git directories lie beside the work trees, where no role can reach them.
 */
export const gitWorkspaces = (options: GitWorkspacesOptions): Workspaces => {
  const { root, store, sandbox, log, networks = noNetworks, remoteFor = byName, env = {} } = options;
  const limits = { ...repositoryLimits, ...options.limits };
  const looked = remembered<Missing>({ most: 1_000, forMs: Number.POSITIVE_INFINITY, now: Date.now });
  const checkable = (mirror: Mirror, commit: string): Promise<Missing> =>
    looked(`${mirror.key} ${commit}`, () => requireCheckable(mirror, { commit, git, limits }));
  const git = engineGit({ env });
  const memories = captureMemories();
  let layout: Promise<Layout> | undefined;
  const parts = async (): Promise<Parts> => {
    layout ??= closedLayout(root);
    return { layout: await layout, git, store, sandbox, log, remoteFor, limits, checkable };
  };
  return {
    fetch: async ({ repository }, { branch, pullRequest, signal }) => {
      const all = await parts();
      return withMirror(repository, all, (mirror) =>
        pullRequest === undefined
          ? fetchBranch(mirror, { ...all, branch, signal })
          : fetchPullRequest(mirror, { ...all, pullRequest, signal }),
      );
    },
    file: async (repository, place) => {
      const all = await parts();
      return withMirror(repository, all, (mirror) => fileOf(mirror, { ...place, git }));
    },
    place: async () => (await parts()).layout.id,
    open: async (thread, wanted, reach = NOTHING_MORE) => {
      const all = await parts();
      memories.forget(thread);
      const state = await openPlace(thread, wanted, all);
      const mirrorObjects = state.mirror === null ? null : join(state.mirror, "objects");
      const place = all.layout.thread(thread);
      const network = networks.open(place.network, reach);
      return threadWorkspace(place, { sandbox, mirrorObjects, network });
    },
    isReady: async (thread) => (await readState((await parts()).layout.thread(thread)))?.ready ?? false,
    setReady: async (thread) => {
      const place = (await parts()).layout.thread(thread);
      const state = await readState(place);
      if (state !== undefined) await writeState(place, { ...state, ready: true });
    },
    restore: async (thread, captured) => {
      const all = await parts();
      const place = all.layout.thread(thread);
      const [state, node] = await Promise.all([readState(place), store.load("workspace", captured)]);
      if (state === undefined || state.base !== node.base) throw notOpen(thread);
      memories.forget(thread);
      await replaceTree(place, node, { ...all, owner: sandbox.owner });
      await addCapture(place, state, captured);
    },
    capture: async (thread) => capture(thread, { ...(await parts()), memory: memories.of(thread) }),
    push: async (thread, captured, commit, remote, options) => {
      const all = await parts();
      const node = await store.load("workspace", captured);
      const { temporary } = all.layout;
      const request = { thread, captured: node, commit, remote, ...options };
      try {
        return await withMirror(node.repository, all, async (mirror) => {
          await requireCommit(mirror, { ...all, commit: node.base, signal: unlimited() });
          return pushTree(request, { git, store, mirror: mirror.directory, temporary });
        });
      } finally {
        await giveUp(remote, log);
      }
    },
    threads: async () => (await entriesOf((await parts()).layout.threads)).filter(isThreadId),
    close: async (thread) => {
      memories.forget(thread);
      const place = (await parts()).layout.thread(thread);
      const state = await readState(place);
      if (state === undefined || state.pool === null || state.base === null)
        await removeTree(place.directory);
      else await giveToPool(state.pool, place, { base: state.base, git, owner: sandbox.owner, log });
    },
  };
};

/** Files in there are readable for everybody, so that a sandbox's user may see its own: the way to them is not. */
const closedLayout = async (root: string): Promise<Layout> => {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of ["mirrors", "workspaces"]) {
    await mkdir(join(root, name), { recursive: true });
    await chmod(join(root, name), 0o700);
  }
  return layoutOf(await realpath(root), { id: await placeName(join(root, "workspaces")) });
};

const notOpen = (thread: ThreadId) =>
  inputError("workspace-missing", `thread ${thread} has no such open workspace here.`);

const capture = async (thread: ThreadId, parts: Parts & { memory: CaptureMemory }): Promise<Hash | null> => {
  const place = parts.layout.thread(thread);
  const state = await readState(place);
  if (state === undefined) throw notOpen(thread);
  if (state.repository === null || state.base === null) return null;
  const { repository, base } = state;
  const captured = await captureTree(place, { ...parts, repository, base });
  await addCapture(place, state, captured);
  return captured;
};
