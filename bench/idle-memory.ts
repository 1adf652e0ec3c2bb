import { setTimeout } from "node:timers/promises";
import { atMost, median, type Row } from "./measurement.ts";
import type { UwfProcess } from "./uwf-process.ts";

const STARTS = 3;
export const IDLE_MS = 10_000;

/**
 * Resident memory of a process some seconds after it was ready, without work. Before the starts that count comes one that
 * fills the compile cache: to compile takes memory as well.
 */
export const idleMemory = async (what: string, start: () => Promise<UwfProcess>): Promise<Row> => {
  await (await start()).stop();
  const all: number[] = [];
  for (let each = 0; each < STARTS; each++) {
    const idle = await start();
    try {
      await setTimeout(IDLE_MS);
      all.push(await idle.megabytes());
    } finally {
      await idle.stop();
    }
  }
  const megabytes = median(all);
  return {
    measured: `Memory of an idle ${what} after ${IDLE_MS / 1000} s`,
    uwf: `${Math.round(megabytes)} MB`,
    beside: "",
    result: `${Math.round(megabytes)} MB`,
    goal: atMost(megabytes, 150, "150 MB"),
  };
};
