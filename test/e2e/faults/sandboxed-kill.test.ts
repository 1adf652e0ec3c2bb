import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { expectWhole } from "../../rigs/cluster/whole.ts";
import { type Cluster, clusterIsHere, newCluster } from "../../rigs/cluster.ts";

/** Processes of this machine that were started with these words. */
const running = (words: string): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).join(" ") === words);

/** Empty for a process that has just ended. */
const commandOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
};

describe.skipIf(!clusterIsHere() || !bubblewrapIsHere())(
  "kill -9 for a worker whose commands are in a sandbox",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await newCluster();
      await cluster.bot({ name: "bot", sandbox: "bubblewrap" });
    });
    afterAll(() => cluster.dispose());

    it("ends its command too", { timeout: 240_000 }, async (context) => {
      // No other process sleeps for just as long. The call is repeated later, and then lasts to its end.
      const seconds = 20 + process.pid / 10_000_000;
      cluster.lastCommands(seconds);
      const victim = await cluster.worker({ name: "victim", sandbox: "bubblewrap" });
      const jobs = await cluster.ask(1);
      await expect.poll(() => running(`sleep ${seconds}`), { timeout: 60_000 }).toHaveLength(1);

      await victim.kill();
      countFaults(context, "kills");
      cluster.lastCommands(0);

      await expect.poll(() => running(`sleep ${seconds}`), { timeout: 10_000 }).toEqual([]);
      await cluster.worker({ name: "next", sandbox: "bubblewrap" });
      await expectWhole(cluster, jobs, { marks: "none" });
    });
  },
);
