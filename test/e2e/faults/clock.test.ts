import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Clock, newClock } from "../../rigs/cluster/clock.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { underWay } from "../../rigs/cluster/under-way.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.skipIf(!clusterIsHere())("clocks that are wrong", () => {
  let cluster: Cluster;
  let jumping: Clock;
  beforeAll(async () => {
    cluster = await newCluster();
    jumping = newClock(cluster.directory, "jumping");
    const late = newClock(cluster.directory, "late");
    late.shift(-10 * MINUTE);
    await cluster.bot({ name: "bot" });
    await cluster.worker({ name: "right", threads: 1 });
    await cluster.worker({ name: "jumping", threads: 2, env: jumping.env });
    await cluster.worker({ name: "late", threads: 1, env: late.env });
    cluster.lastCommands(1);
  });
  afterAll(() => cluster.dispose());

  it("jump by an hour, there and back, while threads run beside one that is ten minutes late", {
    timeout: 300_000,
  }, async (context) => {
    const jobs = await cluster.ask(8);
    await underWay(cluster, jobs, { atLeast: 3 });

    for (const offset of [HOUR, 0, -HOUR, 0, HOUR, -HOUR, 0]) {
      jumping.shift(offset);
      await sleep(2_000);
    }
    countFaults(context, "clock", 8);

    await expectWhole(cluster, jobs);
  });
});
