import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { Machine } from "../../rigs/cluster/machine.ts";
import { type SmallDisk, smallDisk, smallDisksAreHere } from "../../rigs/cluster/small-disk.ts";
import { nextCommand } from "../../rigs/cluster/under-way.ts";
import { expectEnded, expectWhole, recordsOf } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";

describe.skipIf(!clusterIsHere() || !smallDisksAreHere())("a worker's disk", () => {
  let cluster: Cluster;
  let disk: SmallDisk;
  let worker: Machine;
  beforeEach(async () => {
    cluster = await newCluster();
    await cluster.bot({ name: "bot" });
    disk = smallDisk(join(cluster.directory, "small"));
    worker = await cluster.worker({ name: "small", storage: disk.path });
    cluster.lastCommands(2);
  });
  afterEach(async () => {
    await worker.dispose();
    disk.dispose();
    await cluster.dispose();
  });

  it("is full for some seconds in the middle of work", { timeout: 240_000 }, async (context) => {
    const begun = nextCommand(cluster, worker);
    const jobs = await cluster.ask(2);
    await begun;

    disk.fill();
    countFaults(context, "full disks");
    await sleep(5_000);
    disk.free();

    await expectWhole(cluster, jobs);
  });

  it("stays full: another worker does the work, or the thread says why not", {
    timeout: 240_000,
  }, async (context) => {
    const begun = nextCommand(cluster, worker);
    const jobs = await cluster.ask(2);
    await begun;

    disk.fill();
    countFaults(context, "full disks");
    cluster.lastCommands(0);
    await cluster.worker({ name: "roomy" });

    await expectEnded(cluster.store, jobs, { timeoutMs: 180_000 });
    for (const { status, reason } of await recordsOf(cluster.store, jobs))
      if (status !== "completed") expect(reason).toMatch(/no space|disk|full/i);
    expect(worker.isUp()).toBe(true);
  });
});
