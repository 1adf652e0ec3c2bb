import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type TiedOptions, tiedProcess } from "./tied-process.ts";

export type ServerProcess = {
  pid: number;
  /** Sends the signal and waits until the process, and whatever it started, is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** True until it has ended in whatever way. */
  isUp(): boolean;
};

/** Starts a server that does not outlive this process, and waits until it has said `ready`. */
export const serverProcess = async (
  argv: readonly string[],
  { ready, ...options }: TiedOptions & { ready: string },
): Promise<ServerProcess> => {
  const child = tiedProcess(argv, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  // The pipes close when the last of its children has gone as well.
  const closed = once(child, "close");
  // A program that cannot be started is told by `saying`.
  closed.catch(() => undefined);
  await saying(child, ready);
  return {
    pid: child.pid as number,
    isUp: () => child.exitCode === null && child.signalCode === null,
    end: async (signal) => {
      child.kill(signal);
      await closed;
    },
  };
};

const saying = (child: ChildProcess, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = "";
    const look = (piece: string) => {
      said = (said + piece).slice(-20_000);
      if (said.includes(text)) resolve();
    };
    child.stdout?.setEncoding("utf8").on("data", look);
    child.stderr?.setEncoding("utf8").on("data", look);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${said}`)));
  });
