import { bubblewrapArguments, environmentArguments, syntheticFiles } from "./bubblewrap-profile.ts";
import { joining } from "./cgroup/joining.ts";
import { type HostSystem, hardLimit } from "./host-system.ts";
import { isRoot, stageForRoot } from "./root-staging.ts";
import type { Mount, SandboxCommand } from "./sandbox.ts";
import { seccompProgram } from "./seccomp-program.ts";

export type Ceilings = { memory: number; processes: number };

export type Circumstances = {
  system: HostSystem;
  /** Directories of what is shown that are empty inside. */
  hidden: readonly string[];
  ceilings: Ceilings;
  /** Files by which it joins its control group. */
  entrances: readonly string[];
};

const MAX_FILE_BYTES = 4096 * 1024 * 1024;
const MAX_OPEN_FILES = 16_384;

/** How the command is started, and what bubblewrap reads from file descriptors 4 and up. */
export const bubblewrapLaunch = (
  command: SandboxCommand,
  { system, hidden, ceilings, entrances }: Circumstances,
): { argv: string[]; inputs: (string | Uint8Array)[] } => {
  const files = syntheticFiles.map(([, text]) => text);
  const seccomp = seccompProgram(process.arch);
  const inputs = [...files, ...(seccomp === null ? [] : [seccomp])];
  const toolchains: Mount[] = system.toolchains.map((path) => ({
    source: path,
    target: path,
    writable: false,
  }));
  const wanted = [...toolchains, ...command.mounts];
  const { mounts, launcher } = isRoot()
    ? stageForRoot(wanted, entrances)
    : { mounts: wanted, launcher: joining(entrances) };
  const profile = {
    system,
    toolchains: mounts.slice(0, toolchains.length),
    hidden,
    mounts: mounts.slice(toolchains.length),
    cwd: command.cwd,
    env: command.env,
    sharesNetwork: command.network?.kind === "host",
    mergesStreams: command.onError === undefined,
    seccompFd: seccomp === null ? null : 4 + files.length,
    environmentFd: 4 + inputs.length,
    ceilings: {
      memory: Math.min(ceilings.memory, hardLimit("Max data size")),
      processes: Math.min(ceilings.processes, hardLimit("Max processes")),
      fileSize: Math.min(MAX_FILE_BYTES, hardLimit("Max file size")),
      openFiles: Math.min(MAX_OPEN_FILES, hardLimit("Max open files")),
    },
  };
  return {
    argv: [...launcher, "bwrap", ...bubblewrapArguments(profile, command.argv)],
    inputs: [...inputs, environmentArguments(profile)],
  };
};
