import { expect, it } from "vitest";
import { jobKey } from "../../../src/queue/queue.ts";
import type { Work } from "../../fixtures/queue-handler.ts";
import { newThread, noting, type Rig, soon } from "./rig.ts";

export const orderContract = (rig: () => Rig): void => {
  it("keeps to one thread per repository over two workers, and still gets everything done", async () => {
    const underWay = new Map<string, number>();
    const most = new Map<string, number>();
    const repositoryOf = new Map<string, string>();
    const work: Work = async (job) => {
      const repository = repositoryOf.get(jobKey(job)) ?? "";
      underWay.set(repository, (underWay.get(repository) ?? 0) + 1);
      most.set(repository, Math.max(most.get(repository) ?? 0, underWay.get(repository) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay.set(repository, (underWay.get(repository) ?? 0) - 1);
      return undefined;
    };
    for (let i = 0; i < 12; i++) {
      const line = `acme/shared-${i % 3}`;
      repositoryOf.set(jobKey(await newThread(rig(), { line, at: i })), line);
    }

    for (const queue of [rig().queue({ perRepository: 1 }), rig().queue({ perRepository: 1 })])
      rig().work(queue, work, { concurrency: 3 });

    await expect.poll(async () => (await rig().store.counts()).threads.completed, soon).toBe(12);
    expect([...most.values()]).toEqual([1, 1, 1]);
  });

  it("lets an installation with one thread pass another's long line", async () => {
    const begun: string[] = [];
    const many = [];
    for (let i = 0; i < 8; i++) many.push(await newThread(rig(), { line: `many/r${i}`, at: i }));
    const single = await newThread(rig(), { line: "few/r", at: 1_000 });

    rig().work(rig().queue(), noting(begun));

    await expect.poll(() => begun.length, soon).toBe(9);
    expect(begun.indexOf(jobKey(single))).toBeLessThanOrEqual(1);
    expect(begun.filter((key) => key !== jobKey(single))).toEqual(many.map(jobKey));
  });
};
