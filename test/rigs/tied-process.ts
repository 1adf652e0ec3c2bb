import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";

export type TiedOptions = SpawnOptions & {
  /** What the child gets when this process ends in whatever way. Default: KILL. */
  deathSignal?: "KILL" | "QUIT";
};

/** Where it is known, the kernel ends the child with its parent; it stays the same process, with the same pid. */
const canTie =
  process.platform === "linux" && spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status === 0;

/** Starts a process that does not outlive this one, even when this one is killed. */
export const tiedProcess = (
  [command = "", ...args]: readonly string[],
  { deathSignal = "KILL", ...options }: TiedOptions = {},
): ChildProcess =>
  canTie
    ? spawn("setpriv", ["--pdeathsig", deathSignal, "--", command, ...args], options)
    : spawn(command, args, options);
