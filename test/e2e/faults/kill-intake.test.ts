import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Boundary, telling, type Watched, watchBoundaries } from "../../rigs/cluster/boundary.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { Machine } from "../../rigs/cluster/machine.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";

describe.skipIf(!clusterIsHere())("kill -9 between an issue's label and its thread", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await newCluster();
  });
  afterAll(() => cluster.dispose());
  beforeEach(() => Promise.all(cluster.machines.map((machine) => machine.kill())).then(() => undefined));

  const killAt = (
    machine: Machine,
    watched: Watched,
    at: Pick<Boundary, "message" | "when">,
  ): Promise<void> =>
    new Promise((resolve) => {
      const unwatch = watchBoundaries(machine, {
        watched,
        counter: new Map(),
        reached: async ({ message, when }) => {
          if (message !== at.message || when !== at.when) return "passed";
          unwatch();
          await machine.kill();
          resolve();
          return "lost";
        },
      });
    });

  it("hits the bot that has accepted the delivery", { timeout: 240_000 }, async (context) => {
    const bot = await cluster.bot({ name: "bot" });
    const jobs = await cluster.ask(2);
    const accepted = () =>
      cluster.github.delivered.filter(({ action, status }) => action === "labeled" && status === 202);
    await expect.poll(accepted, { timeout: 60_000, interval: 5 }).toHaveLength(2);
    await bot.kill();
    countFaults(context, "kills");

    await cluster.bot({ name: "bot", after: bot });
    await cluster.worker({ name: "worker" });

    await expectWhole(cluster, jobs);
  });

  it("hits the bot while it calls a worker", { timeout: 240_000 }, async (context) => {
    const bot = await cluster.bot({ name: "bot" });
    const dead = killAt(
      bot,
      { redis: { call: /uwf-deliveries.*"?kind"?.*delivery/s } },
      { message: "call", when: "before" },
    );
    const jobs = await cluster.ask(1);
    await dead;
    countFaults(context, "kills");

    await cluster.bot({ name: "bot", after: bot });
    await cluster.worker({ name: "worker" });

    await expectWhole(cluster, jobs);
  });

  for (const when of ["before", "after"] as const)
    for (const message of ["create thread", "finish delivery"])
      it(`hits the worker ${when} its write "${message}"`, { timeout: 240_000 }, async (context) => {
        await cluster.bot({ name: "bot" });
        const victim = await cluster.worker({ name: "victim" });
        const dead = killAt(victim, telling, { message, when });
        const jobs = await cluster.ask(1);
        await dead;
        countFaults(context, "kills");

        await cluster.worker({ name: "victim", after: victim });

        await expectWhole(cluster, jobs);
      });
});
