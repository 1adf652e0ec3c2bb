import { checkBubblewrap } from "./bubblewrap-check.ts";
import { bubblewrapLaunch, mountsOf } from "./bubblewrap-launch.ts";
import { type CgroupsFound, findCgroups } from "./cgroup/cgroups.ts";
import { diskWatch } from "./disk-watch.ts";
import { outOfMemory, withNote } from "./ended-note.ts";
import { hiddenIn } from "./hidden.ts";
import { type HostSystem, hostSystem } from "./host-system.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { relayed } from "./relayed.ts";
import { isRoot, rootStages, SANDBOX_OWNER, type Stage } from "./root-stages.ts";
import { runBubblewrap } from "./run-bubblewrap.ts";
import { type CommandResult, insideName, type Sandbox, type SandboxCommand } from "./sandbox.ts";
import { seccompProgram } from "./seccomp-program.ts";

export type BubblewrapConfig = {
  /** Of one command where a control group can be written, else of each of its processes. */
  memoryMb: number;
  /** Processes and threads of one command. */
  processes: number;
  /** What a thread's directories may have on the disk. Default: no limit but what is left to others. */
  diskMb?: number;
  files?: number;
  /** Directories that commands may read beside the system's. Default: none. */
  readable?: readonly string[];
  /** The search path of this process, where bubblewrap and Node are looked for. */
  path?: string;
  /** Directories that stay empty even where they lie in one that is shown, such as a storage root below `/opt`. */
  hidden?: readonly string[];
};

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const MIB = 1024 * 1024;

/**
 * Commands in namespaces of their own, made by bubblewrap 0.8 or newer; see `bubblewrapArguments` for what they see.
 */
export const bubblewrapSandbox = (config: BubblewrapConfig): Sandbox => {
  const { path = SYSTEM_PATH, readable = [] } = config;
  const ceilings = { memory: config.memoryMb * MIB, processes: config.processes };
  const { diskMb = Number.POSITIVE_INFINITY, files = Number.POSITIVE_INFINITY } = config;
  const disk = diskWatch({ bytes: diskMb * MIB, files });
  const owner = isRoot() ? SANDBOX_OWNER : null;
  const stages = isRoot() ? rootStages({ path }) : null;
  let system: HostSystem | undefined;
  let withheld: readonly number[] | undefined;
  let found: CgroupsFound | undefined;

  const run = async (command: SandboxCommand): Promise<CommandResult> => {
    command.signal.throwIfAborted();
    system ??= hostSystem({ path, readable });
    const told = relayed(command);
    if (stages === null) return runIn(told, { system, stage: null });
    const shown = system;
    return stages.during(mountsOf(told, shown), (stage) => runIn(told, { system: shown, stage }));
  };

  const runIn = async (
    command: SandboxCommand,
    at: { system: HostSystem; stage: Stage | null },
  ): Promise<CommandResult> => {
    withheld ??= inheritedDescriptors();
    found ??= findCgroups();
    const watched = await disk.begin(
      command.mounts.filter(({ writable }) => writable).map(({ source }) => source),
    );
    const group = found.cgroups?.make(ceilings);
    try {
      const launch = bubblewrapLaunch(command, {
        ...at,
        hidden: hiddenIn(at.system, config.hidden ?? []),
        ceilings,
        entrances: group?.entrances ?? [],
      });
      const { limit, began } = watched;
      const result = await runBubblewrap({ ...launch, path, withheld, limit, onProcess: began }, command);
      if (watched.limit.aborted) return withNote(result, `the command was ended: ${watched.limit.reason}`);
      if (group?.ranOutOfMemory()) return withNote(result, outOfMemory(config.memoryMb));
      return result;
    } finally {
      watched.end();
      await group?.remove();
    }
  };

  return {
    kind: "bubblewrap",
    owner,
    insidePath: insideName,
    run,
    check: async (mounts = []) => {
      system ??= hostSystem({ path, readable });
      const hidden = hiddenIn(system, config.hidden ?? []);
      await checkBubblewrap({ run, owner, system, hidden, mounts, ceilings });
      found ??= findCgroups();
      return limitationsOf(found);
    },
  };
};

/** What is held less strictly here than on another machine, in sentences. */
const limitationsOf = ({ cgroups, reason }: CgroupsFound): string[] => [
  ...(cgroups?.bounded.includes("memory")
    ? []
    : [
        `memory is bounded for each process and not for a command: no control group can be written${reason === undefined ? "" : ` (${reason})`}`,
      ]),
  ...(seccompProgram(process.arch) === null ? [`no filter of system calls for ${process.arch}`] : []),
];
