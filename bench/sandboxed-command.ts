import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { newThreadId } from "../src/base/ids.ts";
import { silentLog } from "../src/base/log.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { giveTo } from "../src/workspace/checkout.ts";
import { gitWorkspaces } from "../src/workspace/git-workspaces.ts";
import { bubblewrapSandbox } from "../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { hostSystem } from "../src/workspace/sandbox/host-system.ts";
import { noSandbox } from "../src/workspace/sandbox/no-sandbox.ts";
import type { Sandbox } from "../src/workspace/sandbox/sandbox.ts";
import { emptyRepository } from "./empty-repository.ts";
import { alternate, atMost, ms, type Row, timed } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const ROUNDS = 60;
const MORE_MS = 8;
const COMMAND = ["/bin/true"];
const LIMITS = { timeoutMs: 60_000, maxOutputBytes: 1_000 };

/** One command that does nothing: in the sandbox, in what bubblewrap needs for the least, and as a plain process. */
export const sandboxedCommand = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const sandbox = bubblewrapSandbox({ memoryMb: 4096, processes: 512, diskMb: 16_384, files: 1_000_000 });
    const none = noSandbox();
    const took = await alternate(
      {
        boxed: await inDirectory(sandbox, join(root, "boxed")),
        plain: await inDirectory(none, join(root, "plain")),
        boxedThere: await inWorkspace(sandbox, join(root, "boxed-workspace")),
        plainThere: await inWorkspace(none, join(root, "plain-workspace")),
        bubblewrap: () => startedAlone(["bwrap", ...namespacesAlone(), ...COMMAND], sandbox.owner),
        child: () => startedAlone(COMMAND, sandbox.owner),
      },
      { rounds: ROUNDS, warmUp: 5 },
    );
    const held = await alternate({ check: () => timed(() => sandbox.check()) }, { rounds: 10 });
    const plain = { name: "a plain one", took: took.plain, most: MORE_MS };
    const plainThere = { name: "a plain one there", took: took.plainThere, most: MORE_MS };
    const child = { name: "a child process of Node", took: took.child, most: null };
    return [
      rowOf("A command in the sandbox", took.boxed, plain),
      rowOf("A command in a prepared workspace, in the sandbox", took.boxedThere, plainThere),
      rowOf("A command in the sandbox", took.boxed, child),
      rowOf("A command in bubblewrap alone, the same namespaces", took.bubblewrap, child),
      {
        measured: "The sandbox's self-test, before a thread's first command",
        uwf: ms(held.check),
        beside: "",
        result: ms(held.check),
        goal: null,
      },
    ];
  });

type Beside = { name: string; took: number; most: number | null };

const rowOf = (measured: string, uwf: number, { name, took, most }: Beside): Row => {
  const more = uwf - took;
  return {
    measured,
    uwf: ms(uwf),
    beside: `${name} ${ms(took)}`,
    result: more < 0 ? `${ms(-more)} less` : `${ms(more)} more`,
    goal: most === null ? null : atMost(more, most, `${ms(most)} more`),
  };
};

const inDirectory = async (sandbox: Sandbox, directory: string): Promise<() => Promise<number>> => {
  await mkdir(directory);
  await giveTo(sandbox.owner, directory);
  const target = sandbox.insidePath(directory);
  const mounts = [{ source: directory, target, writable: true }];
  return () =>
    timed(() =>
      sandbox.run({
        ...LIMITS,
        argv: COMMAND,
        cwd: target,
        env: {},
        mounts,
        signal: new AbortController().signal,
      }),
    );
};

/** As roles have it: the work tree, the kept outputs and the mirror's objects. The first command comes with the self-test. */
const inWorkspace = async (sandbox: Sandbox, root: string): Promise<() => Promise<number>> => {
  const repository = join(root, "repository");
  await emptyRepository(repository);
  const store = sqliteStore({ path: join(root, "uwf.db") });
  const parts = { store, sandbox, log: silentLog, env: process.env };
  const workspaces = gitWorkspaces({ ...parts, root: join(root, "storage") });
  const signal = new AbortController().signal;
  const { commit } = await workspaces.fetch({ repository }, { branch: null, signal });
  const workspace = await workspaces.open(newThreadId(), { repository, base: commit, captured: null });
  await store.close();
  return () => timed(() => workspace.exec({ ...LIMITS, command: COMMAND, signal }));
};

/** Every namespace of the sandbox, and of the file system only what a program needs to start. */
const namespacesAlone = (): string[] => {
  const { readOnly, links } = hostSystem({ path: "", readable: [] });
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns"],
    ...readOnly.filter((path) => !path.startsWith("/etc/")).flatMap((path) => ["--ro-bind", path, path]),
    ...links.flatMap(([link, target]) => ["--symlink", target, link]),
    ...["--proc", "/proc", "--dev", "/dev", "--"],
  ];
};

/** Nothing but started and waited for. */
const startedAlone = ([program = "", ...args]: readonly string[], owner: Sandbox["owner"]): Promise<number> =>
  timed(async () => {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const started = spawn(program, args, { stdio, cwd: "/", ...owner });
    const [code] = await once(started, "close");
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  });
