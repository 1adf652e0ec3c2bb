import { tmpdir } from "node:os";
import { join } from "node:path";
import { newThreadId } from "../src/base/ids.ts";
import { silentLog } from "../src/base/log.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { gitWorkspaces } from "../src/workspace/git-workspaces.ts";
import { noSandbox } from "../src/workspace/sandbox/no-sandbox.ts";
import type { Workspaces } from "../src/workspace/workspace.ts";
import { COMMITS, FILES, generateRepository } from "./generated-repository.ts";
import { git } from "./git.ts";
import { alternate, atMost, ms, type Row, timed, times } from "./measurement.ts";
import { inTemporaryDirectory, memoryDirectory } from "./temporary-directory.ts";

const ROUNDS = 7;

type Parts = { root: string; repository: string; workspaces: (at: string) => Workspaces };

/** What a thread waits for its files, beside a fresh clone of the same repository; in memory where there is room. */
export const workspaceOpen = async (): Promise<Row[]> => {
  const memory = await memoryDirectory();
  return inTemporaryDirectory(async (root) => {
    const repository = join(root, "source.git");
    await generateRepository(repository);
    const store = sqliteStore({ path: join(root, "uwf.db") });
    const made = { store, sandbox: noSandbox(), log: silentLog, env: process.env };
    const workspaces = (at: string): Workspaces => gitWorkspaces({ ...made, root: join(root, at) });
    const took = await measure({ root, repository, workspaces });
    await store.close();
    return rowsOf(took, memory === null ? "disk" : "tmpfs");
  }, memory ?? tmpdir());
};

/**
 * Nothing is removed before the end: file systems make files more slowly for minutes after many were removed (ext4
 * looks for places that were not used lately), which would hit whoever comes next.
 */
const measure = async (parts: Parts) => {
  const { repository, workspaces } = parts;
  const [fresh, used] = [workspaces("fresh"), workspaces("used")];
  const { commit: base } = await branchOf(fresh, repository);
  await branchOf(used, repository);
  const place = { repository, base, captured: null };
  const reuse = async (): Promise<number> => {
    const thread = newThreadId();
    const took = await timed(() => used.open(thread, place));
    await used.close(thread);
    return took;
  };
  await reuse();
  return alternate(
    {
      clone: () => clone(parts),
      firstFetch: () => timed(() => branchOf(workspaces(`first-${newThreadId()}`), repository)),
      laterFetch: () => timed(() => branchOf(fresh, repository)),
      cold: () => timed(() => fresh.open(newThreadId(), place)),
      reused: reuse,
    },
    { rounds: ROUNDS, warmUp: 0 },
  );
};

/** Over git's own transport, as from a server, but with no network between. */
const clone = ({ root, repository }: Parts): Promise<number> =>
  timed(() => git(["clone", "--quiet", `file://${repository}`, join(root, `clone-${newThreadId()}`)]));

const branchOf = (workspaces: Workspaces, repository: string) =>
  workspaces.fetch({ repository }, { branch: null, signal: new AbortController().signal });

const rowsOf = (took: Awaited<ReturnType<typeof measure>>, place: string): Row[] => {
  const rowOf = (what: string, value: number, limit: number | null): Row => ({
    measured: `${what}, ${FILES} files, ${COMMITS} commits, ${place}`,
    uwf: ms(value),
    beside: `\`git clone\` ${ms(took.clone)}`,
    result: times(value / took.clone),
    goal: limit === null ? null : atMost(value / took.clone, limit, `${limit}×`),
  });
  return [
    rowOf("Workspace, new", took.cold, 0.1),
    rowOf("Workspace, reused", took.reused, 0.03),
    rowOf("First fetch into the mirror", took.firstFetch, null),
    rowOf("Fetch with nothing new", took.laterFetch, null),
  ];
};
