import type Docker from "dockerode";
import { answered } from "./answered.ts";

/** Removes containers, and remembers those that the engine did not remove. */
export type Removal = {
  /** Removes it now or, when the engine fails, before the next command. */
  remove(id: string): Promise<void>;
  /** Removes what is remembered. Throws what the engine says when one of these cannot be removed and still runs. */
  again(): Promise<void>;
};

export const removal = (docker: Docker): Removal => {
  const left = new Set<string>();
  const tried = async (id: string): Promise<void> => {
    await removeContainer(docker, id).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
    left.delete(id);
  };
  return {
    remove: async (id) => {
      left.add(id);
      await tried(id).catch(() => undefined);
    },
    again: async () => {
      for (const id of left) {
        try {
          await tried(id);
        } catch (error) {
          if (await isRunning(docker, id)) throw error;
        }
      }
    },
  };
};

/** Ends a container and removes it. The engine answers 404 when it is gone, and 409 while it is being removed. */
export const removeContainer = (docker: Docker, id: string): Promise<void> =>
  answered((abortSignal) => docker.getContainer(id).remove({ force: true, v: true, abortSignal }));

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  statuses.includes((error as { statusCode?: number }).statusCode ?? 0);

const isRunning = async (docker: Docker, id: string): Promise<boolean> => {
  try {
    const { State } = await answered((abortSignal) => docker.getContainer(id).inspect({ abortSignal }));
    return State.Running;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
};
