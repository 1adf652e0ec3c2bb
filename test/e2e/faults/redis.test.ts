import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "vitest";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { underWay } from "../../rigs/cluster/under-way.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";
import type { TcpProxy } from "../../rigs/tcp-proxy.ts";

describe.skipIf(!clusterIsHere())("while threads run and others wait, Redis", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await newCluster();
    await cluster.bot({ name: "bot" });
    for (const name of ["one", "two"]) await cluster.worker({ name, threads: 2 });
    cluster.lastCommands(1);
  });
  afterAll(() => cluster.dispose());

  const ways = (each: (way: TcpProxy) => Promise<void>) =>
    Promise.all(cluster.machines.map((machine) => each(machine.ways.redis)));

  const faults: { is: string; count: number; inject: () => Promise<void> }[] = [
    {
      is: "stopped for five seconds, and empty afterwards",
      count: 1,
      inject: async () => {
        await cluster.redis.stop();
        await sleep(5_000);
        await cluster.redis.start();
      },
    },
    {
      is: "killed and started again, empty, twice",
      count: 2,
      inject: async () => {
        for (let kills = 0; kills < 2; kills++) {
          await cluster.redis.kill();
          await cluster.redis.start();
          await sleep(1_500);
        }
      },
    },
    {
      is: "wiped five times",
      count: 5,
      inject: async () => {
        for (let wipes = 0; wipes < 5; wipes++) {
          await cluster.redis.flush();
          await sleep(600);
        }
      },
    },
    {
      is: "silent for eight seconds",
      count: 1,
      inject: async () => {
        await ways((way) => way.hang());
        await sleep(8_000);
        await ways((way) => way.pass());
      },
    },
    {
      is: "slow",
      count: 1,
      inject: async () => {
        await ways((way) => way.slow(75));
        await sleep(6_000);
        await ways((way) => way.pass());
      },
    },
    {
      is: "cut off ten times",
      count: 10,
      inject: async () => {
        for (let cuts = 0; cuts < 10; cuts++) {
          await ways((way) => way.cut());
          await sleep(150);
          await ways((way) => way.pass());
          await sleep(350);
        }
      },
    },
  ];

  for (const { is, count, inject } of faults)
    it(`is ${is}: every thread ends well`, { timeout: 300_000 }, async (context) => {
      const jobs = await cluster.ask(6);
      await underWay(cluster, jobs, { atLeast: 3 });

      await inject();
      countFaults(context, "Redis", count);

      await expectWhole(cluster, jobs);
    });
});
