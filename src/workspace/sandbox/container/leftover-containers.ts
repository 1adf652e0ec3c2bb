import { hostname } from "node:os";
import type Docker from "dockerode";
import { isStatus, removeContainer } from "./removal.ts";

const HOST = "uwf.host";
const PROCESS = "uwf.process";

/** Says whose a container is. */
export const ownLabels = (): Record<string, string> => ({
  [HOST]: hostname(),
  [PROCESS]: String(process.pid),
});

/** Removes the containers of processes of this machine that were killed before they could do it. */
export const removeLeftovers = async (docker: Docker): Promise<void> => {
  const filters = { label: [`${HOST}=${hostname()}`] };
  for (const { Id, Labels } of await docker.listContainers({ all: true, filters })) {
    if (isAlive(Number(Labels[PROCESS]))) continue;
    // Another process may be at it.
    await removeContainer(docker, Id).catch((error: unknown) => {
      if (!isStatus(error, 404, 409)) throw error;
    });
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};
