import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { jobKey } from "../../../src/queue/queue.ts";
import { tiedProcess } from "../../rigs/tied-process.ts";
import { newDelivery, newThread, noting, type Rig, soon, statusOf } from "./rig.ts";

const script = fileURLToPath(new URL("../../fixtures/queue-worker.ts", import.meta.url));

export const closingContract = (rig: () => Rig): void => {
  it("fires the signals of running jobs when it closes, waits for them, and takes nothing new", async () => {
    const queue = rig().queue();
    const begun: string[] = [];
    const ended: string[] = [];
    const jobs = [await newDelivery(rig(), "d1"), await newThread(rig())];
    const worker = rig().work(queue, async (job, signal) => {
      begun.push(jobKey(job));
      if (!signal.aborted) await once(signal, "abort");
      await new Promise((resolve) => setTimeout(resolve, 100));
      ended.push(jobKey(job));
      return { status: "queued" };
    });
    await expect.poll(() => begun.length, soon).toBe(2);
    const closing = worker.close();
    await queue.enqueue(await newDelivery(rig(), "late"));

    await closing;

    expect(ended.toSorted()).toEqual(jobs.map(jobKey).toSorted());
    expect(begun).toHaveLength(2);
  });

  it("hands back what it did not finish to another worker", async () => {
    const [leaving, staying] = [rig().queue(), rig().queue()];
    const begun: string[] = [];
    const delivery = await newDelivery(rig(), "d1");
    const thread = await newThread(rig());
    const worker = rig().work(leaving, async (job, signal) => {
      begun.push(jobKey(job));
      if (!signal.aborted) await once(signal, "abort");
      if (job.kind === "delivery") throw new Error("interrupted");
      return { status: "queued" };
    });
    await expect.poll(() => begun.length, soon).toBe(2);
    await worker.close();

    const again: string[] = [];
    rig().work(staying, noting(again));

    await expect.poll(() => again.toSorted(), soon).toEqual([delivery, thread].map(jobKey).toSorted());
  });

  it("gives its places up when it closes", async () => {
    const worker = rig().work(rig().queue(), noting([]), { concurrency: 3 });
    await expect.poll(async () => (await rig().store.counts()).places, soon).toBe(3);

    await worker.close();

    expect(await rig().store.counts()).toMatchObject({ workers: 0, places: 0 });
  });

  it("brings the job of a worker that was killed to another one", async () => {
    const thread = await newThread(rig());
    const child = tiedProcess([process.execPath, script, ...rig().workerArguments], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
    });
    await expect.poll(() => said, soon).toContain(jobKey(thread));
    const begun: string[] = [];
    rig().work(rig().queue(), noting(begun));

    child.kill("SIGKILL");
    await closed;

    await expect.poll(() => statusOf(rig(), thread.thread), soon).toBe("completed");
    expect(begun).toEqual([jobKey(thread)]);
  });
};
