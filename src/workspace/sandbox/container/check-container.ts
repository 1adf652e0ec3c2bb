import type Docker from "dockerode";
import { messageOf } from "../../../base/errors.ts";
import type { Mount, Sandbox } from "../sandbox.ts";
import { selfTest } from "../self-test/self-test.ts";
import { engineUnavailable } from "../unavailable.ts";
import { CONTAINER_HOME } from "./container-options.ts";

type Parts = Pick<Sandbox, "run" | "owner"> & {
  docker: Docker;
  image: string;
  user: { uid: number };
  mounts: readonly Mount[];
};

/** Of the kernel's own files, covered by engines so that nothing can be read there. */
const COVERED = [
  "acpi",
  "asound",
  "interrupts",
  "kcore",
  "keys",
  "latency_stats",
  "sched_debug",
  "timer_list",
];
const WRITABLE = [
  // In version 1 the directory of the hierarchies, which is root's; they themselves are read-only.
  "/sys/fs/cgroup",
  ...["/proc", "/dev", "/dev/pts", "/dev/shm", "/dev/mqueue", "/tmp", CONTAINER_HOME],
  ...[...COVERED, "timer_stats", "scsi"].map((name) => `/proc/${name}`),
];
const DEVICES = [
  ...["console", "core", "fd", "full", "mqueue", "null", "ptmx", "pts", "random", "shm"],
  ...["stderr", "stdin", "stdout", "tty", "urandom", "zero"],
];
const HINT =
  "Use the engine's own settings for containers: no privileged mode, no added rights, devices or volumes.";

/** Looks from inside for what must not be there. Throws `sandbox-unavailable`. */
export const checkContainer = async ({ docker, image, user, ...sandbox }: Parts): Promise<void> => {
  const variables = await variablesOf(docker, image);
  await selfTest({
    ...sandbox,
    hidden: [],
    expected: {
      // Engines give containers the host's users unless they are told otherwise; no right comes with them.
      shared: ["user"],
      uid: user.uid,
      variables,
      accounts: null,
      ignoresSetuid: false,
      writable: WRITABLE,
      devices: DEVICES,
      limits: null,
      filtersCalls: true,
    },
    hint: HINT,
  });
};

/** Names of the variables that the image itself sets. */
const variablesOf = async (docker: Docker, image: string): Promise<string[]> => {
  try {
    const { Config } = await docker.getImage(image).inspect();
    return (Config.Env ?? []).map((each) => each.slice(0, each.indexOf("=")));
  } catch (error) {
    throw engineUnavailable(messageOf(error), error);
  }
};
