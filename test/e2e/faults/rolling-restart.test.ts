import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { threadLease } from "../../../src/store/store.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { Machine } from "../../rigs/cluster/machine.ts";
import { underWay } from "../../rigs/cluster/under-way.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";

describe.skipIf(!clusterIsHere())("a rolling restart", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await newCluster();
    await cluster.bot({ name: "bot" });
    cluster.lastCommands(1.5);
  });
  afterAll(() => cluster.dispose());

  /** Threads whose lease the process still has. */
  const heldBy = async ({ pid }: Machine): Promise<string[]> => {
    const records = await cluster.store.threads({ limit: 1_000 });
    const holders = await Promise.all(records.map(({ id }) => cluster.store.leaseHolder(threadLease(id))));
    return holders.flatMap((holder) => (holder?.split(":")[1] === String(pid) ? [holder] : []));
  };

  it("drains each worker in the middle of its turns, twice, and holds nothing up", {
    timeout: 300_000,
  }, async (context) => {
    let workers = [];
    for (const name of ["one", "two"]) workers.push(await cluster.worker({ name, threads: 2 }));
    const jobs = await cluster.ask(8);

    for (let round = 0; round < 2; round++) {
      const replaced = [];
      for (const worker of workers) {
        await underWay(cluster, jobs, { atLeast: 2 });
        expect(await worker.drain(), worker.output()).toBe(0);
        expect(await heldBy(worker)).toEqual([]);
        countFaults(context, "drained workers");
        replaced.push(await cluster.worker({ name: worker.name, threads: 2, after: worker }));
      }
      workers = replaced;
    }

    await expectWhole(cluster, jobs);
  });
});
