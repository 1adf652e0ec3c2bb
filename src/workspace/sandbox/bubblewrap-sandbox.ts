import { configError } from "../../base/errors.ts";
import { checkBubblewrap, unavailable } from "./bubblewrap-check.ts";
import { bubblewrapArguments, environmentArguments, syntheticFiles } from "./bubblewrap-profile.ts";
import { hiddenIn } from "./hidden.ts";
import { type HostSystem, hardLimit, hostSystem } from "./host-system.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { killGroup, killProcess } from "./leftovers.ts";
import { SANDBOX_OWNER, stageForRoot } from "./root-staging.ts";
import { type Finished, runProcess } from "./run-process.ts";
import { type CommandResult, insideName, type Mount, type Sandbox, type SandboxCommand } from "./sandbox.ts";
import { seccompProgram } from "./seccomp-program.ts";

export type BubblewrapConfig = {
  /** Empty: no network. `["*"]`: the host's. */
  network: readonly string[];
  /** Per process. */
  memoryMb: number;
  /** Processes and threads of one command. */
  processes: number;
  /** The search path of this process, where bubblewrap and Node are looked for. */
  path?: string;
  /** Directories that stay empty even where they lie in one that is shown, such as a storage root below `/opt`. */
  hidden?: readonly string[];
};

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 4096 * MIB;
const STOP_GRACE_MS = 2_000;

/**
 * Commands in namespaces of their own, made by bubblewrap 0.8 or newer; see `bubblewrapArguments` for what they see.
 * Throws `network-unsupported` (fix-config) for a list of hosts.
 */
export const bubblewrapSandbox = (config: BubblewrapConfig): Sandbox => {
  const sharesNetwork = networkOf(config);
  const path = config.path ?? SYSTEM_PATH;
  let system: HostSystem | undefined;
  let withheld: readonly number[] | undefined;

  const run = async (command: SandboxCommand): Promise<CommandResult> => {
    system ??= hostSystem({ path });
    withheld ??= inheritedDescriptors();
    const launch = launchOf(command, { system, sharesNetwork, config });
    return resultOf(await start(launch.argv, command, { path, inputs: launch.inputs, withheld }));
  };

  return {
    kind: "bubblewrap",
    owner: isRoot() ? SANDBOX_OWNER : null,
    insidePath: insideName,
    run,
    check: () => checkBubblewrap(run),
  };
};

type Circumstances = { system: HostSystem; sharesNetwork: boolean; config: BubblewrapConfig };

const launchOf = (
  command: SandboxCommand,
  { system, sharesNetwork, config }: Circumstances,
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
  const { mounts, launcher } = isRoot() ? stageForRoot(wanted) : { mounts: wanted, launcher: [] };
  const profile = {
    system,
    toolchains: mounts.slice(0, toolchains.length),
    hidden: hiddenIn(system, config.hidden ?? []),
    mounts: mounts.slice(toolchains.length),
    cwd: command.cwd,
    env: command.env,
    sharesNetwork: sharesNetwork || command.network?.kind === "host",
    mergesStreams: command.onError === undefined,
    seccompFd: seccomp === null ? null : 4 + files.length,
    environmentFd: 4 + inputs.length,
    ceilings: {
      memory: Math.min(config.memoryMb * MIB, hardLimit("Max data size")),
      processes: Math.min(config.processes, hardLimit("Max processes")),
      fileSize: Math.min(MAX_FILE_BYTES, hardLimit("Max file size")),
    },
  };
  return {
    argv: [...launcher, "bwrap", ...bubblewrapArguments(profile, command.argv)],
    inputs: [...inputs, environmentArguments(profile)],
  };
};

type Ran = Finished & { began: boolean };

const start = async (
  argv: string[],
  command: SandboxCommand,
  { path, inputs, withheld }: { path: string; inputs: (string | Uint8Array)[]; withheld: readonly number[] },
): Promise<Ran> => {
  let first: number | undefined;
  let began = false;
  const onStatus = (line: string): void => {
    first ??= Number(/"child-pid":\s*(\d+)/.exec(line)?.[1] ?? Number.NaN);
    if (line.includes('"exit-code"')) began = true;
  };
  /** The sandbox's first process, whose end takes every other with it before bubblewrap itself ends. */
  const stop = (pid: number): void => {
    if (first === undefined || Number.isNaN(first) || began) {
      killGroup(pid);
      return;
    }
    killProcess(first);
    setTimeout(() => killGroup(pid), STOP_GRACE_MS).unref();
  };
  try {
    const finished = await runProcess(
      {
        argv,
        env: { PATH: path },
        cwd: "/",
        inputs,
        withheld,
        onStatus,
        stop,
        sweep: async (pid) => killGroup(pid),
      },
      command,
    );
    return { ...finished, began };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw unavailable(`${argv[0]} is not installed`, error);
    throw error;
  }
};

const resultOf = ({
  began,
  timedOut,
  exitCode,
  output,
  omittedBytes,
  malformed,
  launcherErrors,
  ms,
}: Ran): CommandResult => {
  if (!began && !timedOut) throw unavailable(launcherErrors || "bubblewrap ended before the command began");
  return {
    exitCode: timedOut ? null : exitCode,
    timedOut,
    output,
    omittedBytes,
    ...(malformed ? { malformed } : {}),
    ms,
  };
};

const networkOf = ({ network }: BubblewrapConfig): boolean => {
  if (network.length === 0) return false;
  if (network.length === 1 && network[0] === "*") return true;
  throw configError(
    "network-unsupported",
    `sandbox.network lists hosts (${network.join(", ")}), which this sandbox cannot tell apart`,
    'Use [] for no network, or ["*"] for all of it.',
  );
};

const isRoot = (): boolean => process.geteuid?.() === 0;
