import type { Ceilings } from "./bubblewrap-launch.ts";
import { ACCOUNTS, DEVICES, INSIDE_ID, WRITABLE } from "./bubblewrap-profile.ts";
import type { HostSystem } from "./host-system.ts";
import type { Mount, Sandbox } from "./sandbox.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { selfTest } from "./self-test/self-test.ts";
import { unavailable } from "./unavailable.ts";

type Parts = Pick<Sandbox, "run" | "owner"> & {
  system: HostSystem;
  hidden: readonly string[];
  mounts: readonly Mount[];
  ceilings: Ceilings;
};

const HINT =
  "Use the bubblewrap and util-linux of your system's packages, as they come: `command -v bwrap mount nsenter unshare` tells which ones are found.";

/** Looks from inside for what must not be there. Throws `sandbox-unavailable`. */
export const checkBubblewrap = async (parts: Parts): Promise<void> => {
  if (process.platform !== "linux")
    throw unavailable(`bubblewrap runs on Linux, this is ${process.platform}`);
  const { system, hidden, mounts, ceilings, ...sandbox } = parts;
  const shown = [...system.readOnly, ...system.toolchains, ...mounts.map(({ target }) => target)];
  await selfTest({
    ...sandbox,
    mounts,
    hidden: hidden.map((path) => ({ path, names: namesBelow(path, shown) })),
    expected: {
      shared: [],
      uid: Number(INSIDE_ID),
      variables: [],
      accounts: ACCOUNTS,
      ignoresSetuid: true,
      writable: WRITABLE,
      devices: DEVICES,
      limits: ceilings,
      filtersCalls: seccompProgram(process.arch) !== null,
    },
    hint: HINT,
  });
};

/** The first parts of the ways that lead from a directory to what is shown below it. */
const namesBelow = (directory: string, shown: readonly string[]): string[] =>
  shown
    .filter((path) => path.startsWith(`${directory}/`))
    .flatMap((path) => path.slice(directory.length + 1).split("/")[0] ?? []);
