import {
  bubblewrapArguments,
  environmentArguments,
  type Profile,
  syntheticFiles,
} from "./bubblewrap-profile.ts";
import { joining } from "./cgroup/joining.ts";
import { type HostSystem, hardLimits } from "./host-system.ts";
import type { Input } from "./input.ts";
import type { Stage } from "./root-stages.ts";
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
  /** Where its mounts are prepared; null: they are reached as they are. */
  stage: Stage | null;
};

const MAX_FILE_BYTES = 4096 * 1024 * 1024;
const MAX_OPEN_FILES = 16_384;

/** The first descriptor that runProcess gives to a program's inputs. */
const FIRST_INPUT = 4;

/** What a command's sandbox mounts of the host beside the system: the toolchains, and what it works on. */
export const mountsOf = ({ mounts }: SandboxCommand, { toolchains }: HostSystem): Mount[] => [
  ...toolchains.map((path) => ({ source: path, target: path, writable: false })),
  ...mounts,
];

/** How the command is started, and what bubblewrap reads from file descriptors 4 and up. */
export const bubblewrapLaunch = (
  command: SandboxCommand,
  { system, hidden, ceilings, entrances, stage }: Circumstances,
): { argv: string[]; inputs: Input[] } => {
  const inputs: Input[] = [];
  const given = (input: Input): number => FIRST_INPUT - 1 + inputs.push(input);
  const mounts = stage?.mounts ?? mountsOf(command, system);
  const toolchains = system.toolchains.length;
  const sharesNetwork = command.network?.kind === "host";
  const seccomp = seccompProgram(process.arch);
  const inSystem = { system, env: command.env };
  const profile = {
    ...inSystem,
    toolchains: mounts.slice(0, toolchains),
    hidden,
    mounts: mounts.slice(toolchains),
    cwd: command.cwd,
    sharesNetwork,
    mergesStreams: command.onError === undefined,
    files: [
      ...syntheticFiles(sharesNetwork).map(([path, text]) => ({
        path,
        fd: given({ kind: "pipe", bytes: text }),
      })),
      ...system.copied.map((path) => ({ path, fd: given({ kind: "file", path }) })),
    ],
    seccompFd: seccomp === null ? null : given({ kind: "pipe", bytes: seccomp }),
    environmentFd: given({ kind: "pipe", bytes: environmentArguments(inSystem) }),
    ceilings: withinHardLimits(ceilings),
  };
  const launcher = [...joining(entrances), ...(stage?.launcher ?? [])];
  return { argv: [...launcher, "bwrap", ...bubblewrapArguments(profile, command.argv)], inputs };
};

const withinHardLimits = ({ memory, processes }: Ceilings): Profile["ceilings"] => {
  const hard = hardLimits();
  return {
    memory: Math.min(memory, hard("Max data size")),
    processes: Math.min(processes, hard("Max processes")),
    fileSize: Math.min(MAX_FILE_BYTES, hard("Max file size")),
    openFiles: Math.min(MAX_OPEN_FILES, hard("Max open files")),
  };
};
