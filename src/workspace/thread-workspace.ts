import { createHash } from "node:crypto";
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join, posix } from "node:path";
import { inputError } from "../base/errors.ts";
import { once } from "../base/once.ts";
import { isDirectory, makeReadable } from "./directories.ts";
import type { ThreadPlace } from "./layout.ts";
import type { ThreadNetwork } from "./network/network.ts";
import type { CommandResult, Mount, Network, Sandbox } from "./sandbox/sandbox.ts";
import type { Command, ExecResult, Workspace, WorkspaceFiles } from "./workspace.ts";
import { workspaceFiles } from "./workspace-files.ts";

const ENVIRONMENT = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8", SHELL: "/bin/bash", GIT_TERMINAL_PROMPT: "0" };

/** What roles work in: the work tree, the kept outputs to read, and the mirror's objects for their git. */
export const threadWorkspace = (
  place: ThreadPlace,
  {
    sandbox,
    mirrorObjects,
    network,
  }: { sandbox: Sandbox; mirrorObjects: string | null; network: ThreadNetwork },
): Workspace => {
  const root = sandbox.insidePath(place.tree);
  const output = sandbox.insidePath(place.output);
  const mounts: Mount[] = [
    { source: place.tree, target: root, writable: true },
    { source: place.output, target: output, writable: false },
    ...(mirrorObjects === null ? [] : [{ source: mirrorObjects, target: mirrorObjects, writable: false }]),
  ];
  const files = workspaceFiles(
    { host: place.tree, names: [root] },
    { readOnly: [{ host: place.output, names: [output] }], owner: sandbox.owner },
  );
  /** A sandbox that held for others may show more with this thread's directories. */
  const held = once(() => sandbox.check(mounts));
  return {
    root,
    directory: place.tree,
    files,
    exec: async (command) => {
      await held();
      const cwd = await cwdOf(command.cwd, { root, files });
      if (!command.keepsHome || sandbox.kind === "none")
        return run(command, { sandbox, mounts, cwd, network });
      const home = await keptHome(place.home, sandbox);
      return run(
        { ...command, env: { HOME: home.target, ...command.env } },
        { sandbox, mounts: [...mounts, home], cwd, network },
      );
    },
    keepOutput: async (text) => {
      const name = `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.txt`;
      await makeReadable(place.output);
      await writeFile(join(place.output, name), text);
      await chmod(join(place.output, name), 0o644);
      return posix.join(output, name);
    },
  };
};

/** Without a sandbox, programs have the home directory of this user. */
const keptHome = async (source: string, { owner, insidePath }: Sandbox): Promise<Mount> => {
  if (!(await isDirectory(source))) {
    await mkdir(source, { recursive: true, mode: 0o700 });
    if (owner !== null) await chown(source, owner.uid, owner.gid);
  }
  return { source, target: insidePath(source), writable: true };
};

type Where = { sandbox: Sandbox; mounts: readonly Mount[]; cwd: string; network: ThreadNetwork };

const run = async (
  { command, env, cwd: _, keepsHome: __, reach = {}, ...limits }: Command,
  { sandbox, mounts, cwd, network: ofThread }: Where,
): Promise<ExecResult> => {
  const argv = typeof command === "string" ? ["bash", "-c", command] : command;
  const start = (network: Network): Promise<CommandResult> =>
    sandbox.run({ argv, cwd, env: { ...ENVIRONMENT, ...env }, mounts, network, ...limits });
  if (reach === null) return start({ kind: "none" });
  // Without a sandbox nothing holds a command to a list.
  if (sandbox.kind === "none") return start({ kind: "host" });
  const { result, refused } = await ofThread.during(reach, start);
  return refused.length === 0 ? result : { ...result, refused };
};

const cwdOf = async (
  cwd: string | undefined,
  { root, files }: { root: string; files: WorkspaceFiles },
): Promise<string> => {
  if (cwd === undefined || cwd === "" || cwd === "." || cwd === root) return root;
  const entry = await files.stat(cwd);
  if (entry === undefined) throw inputError("file-missing", `${cwd} does not exist.`);
  if (entry.kind !== "directory") throw inputError("not-a-directory", `${cwd} is not a directory.`);
  return isAbsolute(cwd) ? cwd : posix.join(root, cwd);
};
