import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ServerProcess } from "./server-process.ts";

/**
 * `kill -9` for a server and its child processes, at one moment as far as they can tell: the server is stopped first,
 * so that it neither starts another child nor sees one die.
 */
export const killWithChildren = async (server: ServerProcess): Promise<void> => {
  if (!server.isUp()) return;
  process.kill(server.pid, "SIGSTOP");
  for (const child of await childrenOf(server.pid)) process.kill(child, "SIGKILL");
  await server.end("SIGKILL");
};

const childrenOf = async (pid: number): Promise<number[]> => {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
  return stdout.trim().split("\n").map(Number);
};
