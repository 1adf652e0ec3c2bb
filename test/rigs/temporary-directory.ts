import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TemporaryDirectory = { path: string; remove(): Promise<void> };

/** Waits for the end of its input; a server that ends at the same moment may still write for a while. */
const REMOVE = `read -r _; for n in $(seq 100); do rm -rf "$1" && exit; sleep 0.1; done 2>/dev/null; exit 1`;

/** A new directory that is removed when it is told so or when this process ends, even when it is killed. */
export const temporaryDirectory = async (prefix: string): Promise<TemporaryDirectory> => {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // In a session of its own: what interrupts this process from a terminal is not for it.
  const remover = spawn("sh", ["-c", REMOVE, "sh", path], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  remover.unref();
  (remover.stdin as Socket).unref();
  return {
    path,
    remove: async () => {
      if (remover.exitCode !== null) return;
      const exit = once(remover, "exit");
      remover.ref();
      remover.stdin.end();
      const [code] = await exit;
      if (code !== 0) throw new Error(`${path} could not be removed`);
    },
  };
};
