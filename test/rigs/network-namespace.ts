import { type ChildProcess, type SpawnOptions, spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { serverProcess } from "./server-process.ts";
import { tiedProcess } from "./tied-process.ts";
import { vethPair } from "./veth-pair.ts";

export type NetworkNamespace = {
  /** Where a server of this namespace must listen to be reached from inside; what listens on 127.0.0.1 is not. */
  hostAddress: string;
  /** `of`, the URL of a server that listens on `hostAddress` too, as it is from inside. */
  url(of: string): string;
  /** Starts a process inside that does not outlive this one. */
  spawn(argv: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Loses every packet, both ways, without a sign: the links stay up, and nobody is told. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  /** Kills what runs inside, and removes the namespace. */
  dispose(): Promise<void>;
};

/** True for root where namespaces can be made. */
export const namespacesAreHere = (): boolean =>
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--net", "ip", "link"]).status === 0;

/** A network namespace that stands for another host: its own loopback, and one link to this one. */
export const networkNamespace = async (): Promise<NetworkNamespace> => {
  // The namespace has no name and goes with the last process inside, so a killed test leaves none behind.
  const holder = await serverProcess(
    ["unshare", "--net", "--", "sh", "-c", "echo unshared; exec sleep infinity"],
    { ready: "unshared" },
  );
  const namespace = `/proc/${holder.pid}/ns/net`;
  const link = await vethPair(holder.pid);
  return {
    hostAddress: link.hostAddress,
    url: (of) => {
      const url = new URL(of);
      url.hostname = link.hostAddress;
      return url.href;
    },
    spawn: (argv, options) => tiedProcess(["nsenter", `--net=${namespace}`, "--", ...argv], options),
    cut: link.cut,
    heal: link.heal,
    dispose: async () => {
      if (!holder.isUp()) return;
      await link.remove();
      for (const pid of processesIn(readlinkSync(namespace))) if (pid !== holder.pid) endNow(pid);
      await holder.end("SIGKILL");
    },
  };
};

const processesIn = (namespace: string): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && namespaceOf(pid) === namespace);

/** Undefined for a process that has just ended. */
const namespaceOf = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
};

const endNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It may have ended by itself, or with the process that started it.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};
