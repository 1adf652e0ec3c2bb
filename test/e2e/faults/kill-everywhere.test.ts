import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundaryName, type Counter, telling, watchBoundaries } from "../../rigs/cluster/boundary.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { Machine } from "../../rigs/cluster/machine.ts";
import { expectWhole, statesOf } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, type Job, newCluster } from "../../rigs/cluster.ts";

const SLOTS = ["a", "b", "c", "d"];
/** At every boundary: `KILLS=all`. Else at every seventh one: before a call, after another. */
const isWhole = process.env.KILLS === "all";
const isMet = (at: number): boolean => isWhole || at % 7 === 0;
const JOBS = isWhole ? 32 : 8;

describe.skipIf(!clusterIsHere())("kill -9 before and after whatever a worker says", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await newCluster();
    // It only keeps deliveries: the workers, which are killed, handle them.
    await cluster.bot({ name: "bot" });
    cluster.lastCommands(0.2);
  });
  afterAll(() => cluster.dispose());

  it("leaves every thread whole", { timeout: 600_000 }, async (context) => {
    const boundaries = (await boundariesOfOneRun()).filter((_, at) => isMet(at));
    const remaining = new Set(boundaries);
    const jobs = await cluster.ask(JOBS);

    const counter: Counter = new Map();
    await Promise.all(SLOTS.map((slot) => killOneAfterTheOther(slot, { jobs, remaining, counter })));

    const killed = boundaries.length - remaining.size;
    countFaults(context, "kills", killed);
    expect(killed, `not reached: ${[...remaining].join(", ")}`).toBeGreaterThan(0.85 * boundaries.length);
    await expectWhole(cluster, jobs);
  });

  const open = async (jobs: readonly Job[]) =>
    (await statesOf(cluster.store, jobs)).filter((state) => !state.endsWith("completed"));

  /** What one undisturbed worker says for one job. */
  const boundariesOfOneRun = async (): Promise<string[]> => {
    const found = new Set<string>();
    const undisturbed = await cluster.worker({ name: "undisturbed" });
    const reached = async (boundary: Parameters<typeof boundaryName>[0]) => {
      found.add(boundaryName(boundary));
      return "passed" as const;
    };
    watchBoundaries(undisturbed, { watched: telling, counter: new Map(), reached });
    await expectWhole(cluster, await cluster.ask(1));
    expect(await undisturbed.drain()).toBe(0);
    return [...found];
  };

  /** Starts a worker again and again; each dies at the first boundary at which none has died. The last one lives. */
  const killOneAfterTheOther = async (
    name: string,
    { jobs, remaining, counter }: { jobs: readonly Job[]; remaining: Set<string>; counter: Counter },
  ): Promise<void> => {
    let victim = await cluster.worker({ name });
    for (;;) {
      const unwatch = watchToKill(victim, { remaining, counter });
      while (victim.isUp() && remaining.size > 0 && (await open(jobs)).length > 0)
        await Promise.race([victim.ended, sleep(500)]);
      unwatch();
      if (victim.isUp()) return;
      victim = await cluster.worker({ name, after: victim });
    }
  };

  const watchToKill = (
    victim: Machine,
    { remaining, counter }: { remaining: Set<string>; counter: Counter },
  ): (() => void) => {
    let isDying = false;
    return watchBoundaries(victim, {
      watched: telling,
      counter,
      reached: async (boundary) => {
        if (!isDying && !remaining.delete(boundaryName(boundary))) return "passed";
        isDying = true;
        await victim.kill();
        return "lost";
      },
    });
  };
});
