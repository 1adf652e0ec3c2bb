import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundaryName, type Counter, telling, watchBoundaries } from "../../rigs/cluster/boundary.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { expectWhole, statesOf } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, type Job, newCluster } from "../../rigs/cluster.ts";

const SLOTS = ["a", "b", "c", "d"];
const JOBS = 32;

describe.skipIf(!clusterIsHere())("kill -9 before and after whatever a worker says", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await newCluster();
    const bot = await cluster.bot({ name: "bot" });
    // It only keeps deliveries: the workers, which are killed, handle them.
    await bot.ways.redis.cut();
    cluster.lastCommands(0.2);
  });
  afterAll(() => cluster.dispose());

  it("leaves every thread whole", { timeout: 600_000 }, async (context) => {
    const boundaries = await boundariesOfOneRun();
    const remaining = new Set(boundaries);
    const jobs = await cluster.ask(JOBS);

    await Promise.all(
      SLOTS.map((slot) => killOneAfterTheOther(slot, { jobs, remaining, counter: new Map() })),
    );

    const killed = boundaries.length - remaining.size;
    countFaults(context, "kills", killed);
    expect(killed, `not reached: ${[...remaining].join(", ")}`).toBeGreaterThan(0.85 * boundaries.length);
    for (const slot of SLOTS) await worker(slot);
    await expectWhole(cluster, jobs);
  });

  const worker = (slot: string) => cluster.worker({ name: slot, storage: join(cluster.directory, slot) });

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

  /** Starts a worker again and again; each dies at the first boundary at which none has died. */
  const killOneAfterTheOther = async (
    slot: string,
    { jobs, remaining, counter }: { jobs: readonly Job[]; remaining: Set<string>; counter: Counter },
  ): Promise<void> => {
    while (remaining.size > 0) {
      const victim = await worker(slot);
      let isDying = false;
      watchBoundaries(victim, {
        watched: telling,
        counter,
        reached: async (boundary) => {
          if (!isDying && !remaining.delete(boundaryName(boundary))) return "passed";
          isDying = true;
          await victim.kill();
          return "lost";
        },
      });
      while (victim.isUp()) {
        if ((await open(jobs)).length === 0) return;
        await Promise.race([victim.ended, sleep(500)]);
      }
    }
  };
});
