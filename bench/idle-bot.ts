import { setTimeout } from "node:timers/promises";
import { atMost, type Row } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { githubApp, uwfProcess } from "./uwf-process.ts";

const IDLE_MS = 10_000;

/** Resident memory of `uwf start` ten seconds after it began to listen, with no webhook so far. */
export const idleBot = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const env = { ...githubApp(), UWF_STORAGE_ROOT: root, PORT: "0" };
    const bot = await uwfProcess(["start", "--unsafe-no-sandbox"], { env, ready: "listens" });
    try {
      await setTimeout(IDLE_MS);
      return [memoryRow(`Memory of an idle bot after ${IDLE_MS / 1000} s`, await bot.megabytes())];
    } finally {
      await bot.stop();
    }
  });

export const memoryRow = (measured: string, megabytes: number): Row => ({
  measured,
  uwf: `${Math.round(megabytes)} MB`,
  beside: "",
  result: `${Math.round(megabytes)} MB`,
  goal: atMost(megabytes, 150, "150 MB"),
});
