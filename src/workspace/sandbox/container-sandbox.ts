import Docker from "dockerode";
import { messageOf } from "../../base/errors.ts";
import { checkContainer } from "./container/check-container.ts";
import { containerOptions } from "./container/container-options.ts";
import { ownLabels, removeLeftovers } from "./container/leftover-containers.ts";
import { removal } from "./container/removal.ts";
import { runContainer } from "./container/run-container.ts";
import { diskWatch } from "./disk-watch.ts";
import { outOfMemory, withNote } from "./ended-note.ts";
import { relayed } from "./relayed.ts";
import { isRoot, SANDBOX_OWNER } from "./root-stages.ts";
import { type CommandResult, insideName, type Sandbox, type SandboxCommand } from "./sandbox.ts";
import { engineUnavailable } from "./unavailable.ts";

export type ContainerConfig = {
  /** The socket of the engine's API. */
  socket: string;
  /** What commands find as the system: an image that is there already. */
  image: string;
  runtime: string | null;
  memoryMb: number;
  processes: number;
  diskMb?: number;
  files?: number;
  /** How long the engine may fail, or not end a command that has to end, before that is given up. Default: 30 seconds. */
  patienceMs?: number;
};

const MIB = 1024 * 1024;
const INTERRUPTED = "the connection to the container engine broke: some of the output may be missing";

/** A container for each command, made by an engine that speaks Docker's API, on this machine. */
export const containerSandbox = (config: ContainerConfig): Sandbox => {
  const { image, runtime, memoryMb, processes, diskMb = Number.POSITIVE_INFINITY } = config;
  const { patienceMs = 30_000 } = config;
  const docker = new Docker({ socketPath: config.socket });
  const removed = removal(docker);
  const disk = diskWatch({ bytes: diskMb * MIB, files: config.files ?? Number.POSITIVE_INFINITY });
  const owner = isRoot() ? SANDBOX_OWNER : null;
  const user = owner ?? { uid: process.geteuid?.() ?? 1000, gid: process.getegid?.() ?? 1000 };
  const parts = { image, runtime, user, limits: { memory: memoryMb * MIB, processes }, labels: ownLabels() };

  const run = async (given: SandboxCommand): Promise<CommandResult> => {
    given.signal.throwIfAborted();
    const command = relayed(given);
    const watched = await disk.begin(
      command.mounts.filter(({ writable }) => writable).map(({ source }) => source),
    );
    try {
      const options = containerOptions(command, parts);
      const { limit } = watched;
      const ended = await runContainer(options, command, { docker, removal: removed, limit, patienceMs });
      const { ranOutOfMemory, interrupted, ...result } = ended;
      const told = interrupted ? withNote(result, INTERRUPTED) : result;
      if (limit.aborted) return withNote(told, `the command was ended: ${limit.reason}`);
      return ranOutOfMemory ? withNote(told, outOfMemory(memoryMb)) : told;
    } catch (error) {
      if (given.signal.aborted && error === given.signal.reason) throw error;
      throw engineUnavailable(messageOf(error), error);
    } finally {
      watched.end();
    }
  };

  return {
    kind: "container",
    owner,
    insidePath: insideName,
    run,
    check: async (mounts = []) => {
      try {
        await removeLeftovers(docker);
      } catch (error) {
        throw engineUnavailable(messageOf(error), error);
      }
      await checkContainer({ docker, image, run, owner, user, mounts });
      return [];
    },
  };
};
