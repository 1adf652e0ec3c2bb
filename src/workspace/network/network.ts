import type { Network } from "../sandbox/sandbox.ts";
import type { Refusal } from "./refusal.ts";

/** What an operator lets commands reach. */
export type Allowance = {
  /** Presets and hosts; see `readEntry`. */
  hosts: readonly string[];
  /** `host:port`, exactly, also where it is of a private network or this machine. */
  internal: readonly string[];
};

/** What one command may reach beside what all of its thread's may. */
export type Reach = {
  /** By the operator's word. */
  operator?: Allowance;
  /** By the repository's: the server decides how far that is followed. */
  repository?: readonly string[];
};

/** What the network of a thread's commands is made of. */
export type ThreadReach = {
  /** The list of the repository's configuration, pinned with the thread. */
  repository: readonly string[];
  /** Told after each command what was refused to it. */
  onRefused: (refused: readonly Refusal[]) => Promise<void>;
};

/** The network of one thread's commands. */
export interface ThreadNetwork {
  /** Opens what a command may reach for as long as `work` takes. */
  during<T>(
    reach: Reach,
    work: (network: Network) => Promise<T>,
  ): Promise<{ result: T; refused: readonly Refusal[] }>;
}

/** Makes the network of threads' commands. `directory`: where sockets are made, and removed again. */
export interface Networks {
  open(directory: string, thread: ThreadReach): ThreadNetwork;
}

/** Where nothing is configured: no command reaches anything. */
export const noNetworks: Networks = {
  open: () => ({ during: async (_, work) => ({ result: await work({ kind: "none" }), refused: [] }) }),
};
