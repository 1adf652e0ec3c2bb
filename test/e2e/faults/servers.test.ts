import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "vitest";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { underWay } from "../../rigs/cluster/under-way.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";
import type { TcpProxy } from "../../rigs/tcp-proxy.ts";

const services = [
  { service: "model", name: "the model" },
  { service: "github", name: "GitHub" },
] as const;

for (const { service, name } of services)
  describe.skipIf(!clusterIsHere())(`while threads run, ${name}`, () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await newCluster();
      await cluster.bot({ name: "bot" });
      for (const worker of ["one", "two"]) await cluster.worker({ name: worker, threads: 2 });
    });
    afterAll(() => cluster.dispose());

    const ways = (each: (way: TcpProxy) => Promise<void>) =>
      Promise.all(cluster.machines.map((machine) => each(machine.ways[service])));

    const faults: { is: string; count: number; inject: () => Promise<void> }[] = [
      {
        is: "cannot be reached for five seconds",
        count: 1,
        inject: async () => {
          await ways((way) => way.cut());
          await sleep(5_000);
          await ways((way) => way.pass());
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
        is: "answers 502 a dozen times",
        count: 12,
        inject: async () => {
          if (service === "model") return cluster.failModel(12);
          const answer = { status: 502 };
          for (const method of ["GET", "POST", "PATCH"])
            cluster.github.fault({ method, path: /^\/(repos\/.*(issues|pulls)|acme)/, answer, times: 4 });
        },
      },
      {
        is: "cut off ten times",
        count: 10,
        inject: async () => {
          for (let cuts = 0; cuts < 10; cuts++) {
            await ways((way) => way.cut());
            await sleep(100);
            await ways((way) => way.pass());
            await sleep(400);
          }
        },
      },
    ];

    for (const { is, count, inject } of faults)
      it(`${is}: every thread ends well`, { timeout: 300_000 }, async (context) => {
        const jobs = await cluster.ask(5);
        await underWay(cluster, jobs, { atLeast: 2 });

        await inject();
        countFaults(context, name, count);

        await expectWhole(cluster, jobs);
      });
  });
