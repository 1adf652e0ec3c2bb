import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { Machine } from "../../rigs/cluster/machine.ts";
import { nextCommand } from "../../rigs/cluster/under-way.ts";
import { expectEnded, expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";
import { type NetworkNamespace, namespacesAreHere, networkNamespace } from "../../rigs/network-namespace.ts";

/** How long a lease outlives its holder. */
const LEASE_MS = 30_000;

describe.skipIf(!clusterIsHere() || !namespacesAreHere())(
  "two workers that believe they own a thread",
  () => {
    let cluster: Cluster;
    let host: NetworkNamespace;
    beforeAll(async () => {
      cluster = await newCluster();
      host = await networkNamespace();
      await cluster.bot({ name: "bot" });
    });
    afterAll(async () => {
      await cluster.dispose();
      await host.dispose();
    });

    /** A worker that is in the middle of a call when it is cut off, and comes back when others have finished its thread. */
    type Estranged = { worker: Machine; part(): Promise<void> | void; heal(): Promise<void> | void };

    const estranged = async (): Promise<Estranged[]> => {
      const silent = await cluster.worker({ name: "silent" });
      const stopped = await cluster.worker({ name: "stopped" });
      const remote = await cluster.worker({ name: "remote", host });
      return [
        {
          worker: silent,
          part: () => silent.ways.postgres.hang(),
          heal: () => silent.ways.postgres.pass(),
        },
        { worker: stopped, part: () => stopped.signal("SIGSTOP"), heal: () => stopped.signal("SIGCONT") },
        { worker: remote, part: host.cut, heal: host.heal },
      ];
    };

    it("finish it once: the one that was cut off finds it gone", { timeout: 300_000 }, async (context) => {
      cluster.lastCommands(6);
      const all = await estranged();
      const parted = all.map(async ({ worker, part }) => {
        await nextCommand(cluster, worker);
        await part();
      });
      const jobs = await cluster.ask(all.length);
      await Promise.all(parted);
      countFaults(context, "estranged workers", all.length);
      cluster.lastCommands(0);
      await cluster.worker({ name: "rescuer", threads: 3 });

      await sleep(LEASE_MS);
      await expectEnded(cluster.store, jobs, { timeoutMs: 200_000 });
      for (const { heal } of all) await heal();

      await expectWhole(cluster, jobs);
      for (const { worker } of all) expect(worker.isUp(), worker.name).toBe(true);
    });
  },
);
