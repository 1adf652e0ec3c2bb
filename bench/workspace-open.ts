import { rm } from "node:fs/promises";
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

/** Where work trees are made, and how often: on a slow disk ten thousand files take their time. */
type Place = { name: string; parent: string; rounds: number };

type Parts = { root: string; repository: string; workspaces: (at: string) => Workspaces };

/** What a thread waits for its files, beside a fresh clone of the same repository, in memory and on disk. */
export const workspaceOpen = async (): Promise<Row[]> => {
  const memory = await memoryDirectory();
  const disk: Place = { name: "disk", parent: tmpdir(), rounds: 3 };
  const places = memory === null ? [disk] : [{ name: "tmpfs", parent: memory, rounds: 7 }, disk];
  return inTemporaryDirectory(async (directory) => {
    const repository = join(directory, "source.git");
    await generateRepository(repository);
    const rows: Row[] = [];
    for (const place of places) rows.push(...(await measureAt(place, repository)));
    return rows;
  }, memory ?? tmpdir());
};

const measureAt = (place: Place, repository: string): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const store = sqliteStore({ path: join(root, "uwf.db") });
    const made = { store, sandbox: noSandbox(), log: silentLog, env: process.env };
    const workspaces = (at: string): Workspaces => gitWorkspaces({ ...made, root: join(root, at) });
    const took = await measure({ root, repository, workspaces }, place.rounds);
    await store.close();
    return rowsOf(took, place);
  }, place.parent);

const measure = async (parts: Parts, rounds: number) => {
  const { root, repository, workspaces } = parts;
  const kept = workspaces("kept");
  const { commit: base } = await branchOf(kept, repository);
  const openAndClose = async (): Promise<number> => {
    const thread = newThreadId();
    const took = await timed(() => kept.open(thread, { repository, base, captured: null }));
    await kept.close(thread);
    return took;
  };
  return alternate(
    {
      clone: () => clone(parts),
      firstFetch: () => firstFetch(parts),
      laterFetch: () => timed(() => branchOf(kept, repository)),
      cold: async () => {
        await rm(join(root, "kept", "workspaces"), { recursive: true, force: true });
        return openAndClose();
      },
      reused: async () => {
        await openAndClose();
        return openAndClose();
      },
    },
    { rounds, warmUp: 0 },
  );
};

/** Over git's own transport, as from a server, but with no network between. */
const clone = async ({ root, repository }: Parts): Promise<number> => {
  const directory = join(root, "clone");
  const took = await timed(() => git(["clone", "--quiet", `file://${repository}`, directory]));
  await rm(directory, { recursive: true });
  return took;
};

const branchOf = (workspaces: Workspaces, repository: string) =>
  workspaces.fetch({ repository }, { branch: null, signal: new AbortController().signal });

/** Into a mirror that is not there yet: once per repository and machine. */
const firstFetch = async ({ root, repository, workspaces }: Parts): Promise<number> => {
  const took = await timed(() => branchOf(workspaces("first"), repository));
  await rm(join(root, "first"), { recursive: true });
  return took;
};

const rowsOf = (took: Awaited<ReturnType<typeof measure>>, { name }: Place): Row[] => {
  const rowOf = (what: string, value: number, limit: number | null): Row => ({
    measured: `${what}, ${FILES} files, ${COMMITS} commits, ${name}`,
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
