import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Cluster, Job } from "../cluster.ts";
import type { Machine } from "./machine.ts";
import { statesOf } from "./whole.ts";

/** Waits until so many of the jobs' threads run. */
export const underWay = async (
  { store }: Cluster,
  jobs: readonly Job[],
  { atLeast }: { atLeast: number },
): Promise<void> => {
  const running = async () =>
    (await statesOf(store, jobs)).filter((state) => state.endsWith("running")).length;
  await expect.poll(running, { timeout: 60_000, interval: 50 }).toBeGreaterThanOrEqual(atLeast);
};

/** Waits until one more marked command has begun on the machine. */
export const nextCommand = async ({ marks }: Cluster, machine: Machine): Promise<void> => {
  const begun = commandsOn(marks, machine);
  await expect
    .poll(() => commandsOn(marks, machine), { timeout: 60_000, interval: 20, message: machine.name })
    .toBeGreaterThan(begun);
};

const commandsOn = (marks: string, { storage }: Machine): number =>
  readdirSync(marks)
    .flatMap((name) => readFileSync(join(marks, name), "utf8").split("\n"))
    .filter((place) => place.startsWith(`${storage}/`)).length;
