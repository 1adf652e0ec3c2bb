import { idleMemory } from "./idle-memory.ts";
import type { Row } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { githubApp, uwfProcess } from "./uwf-process.ts";

/** Memory of `uwf start` on a machine of its own, with no webhook so far. */
export const idleBot = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const env = { ...githubApp(), UWF_STORAGE_ROOT: root, PORT: "0" };
    const start = () => uwfProcess(["start", "--unsafe-no-sandbox"], { env, ready: "listens" });
    return [await idleMemory("bot", start)];
  });
