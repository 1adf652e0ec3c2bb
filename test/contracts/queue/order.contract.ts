import { expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { jobKey } from "../../../src/queue/queue.ts";
import type { Work } from "../../fixtures/queue-handler.ts";
import { holding, newDelivery, newThread, noting, type Rig, soon } from "./rig.ts";

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

  it("lets an installation with one delivery pass another's ten thousand, and does those in time", async () => {
    const { store } = rig();
    const { begun, work, letGo } = holding();
    const flood = Array.from({ length: FLOOD }, (_, at) => ({
      ...{ id: `many-${at}`, forge: "github", event: "issues", body: "{}", installation: "many" },
      receivedAt: at,
    }));
    await store.addDeliveries(flood);
    const queue = rig().queue();
    rig().work(queue, work, { concurrency: 0 });
    await expect.poll(() => begun.length, soon).toBeGreaterThanOrEqual(OF_ONE.least);

    await queue.enqueue(await newDelivery(rig(), "few"));

    await expect.poll(() => begun, soon).toContain("delivery-few");
    expect(begun.length - 1).toBeLessThanOrEqual(OF_ONE.most);
    for (const { id } of flood.slice(100)) await store.finishDelivery(id);
    letGo();
    await expect.poll(() => store.pendingDeliveries(1), soon).toEqual([]);
    expect(new Set(begun).size).toBe(begun.length);
  });

  it("brings a new delivery before those that are tried again and again, however many they are", async () => {
    const { store } = rig();
    const waiting = Array.from({ length: MANY }, (_, at) => ({
      ...{ id: `waits-${at}`, forge: "github", event: "issue_comment", body: "{}", installation: "one" },
      receivedAt: at,
    }));
    await store.addDeliveries(waiting);
    const begun: string[] = [];
    const queue = rig().queue();
    const work: Work = async (job) => {
      begun.push(jobKey(job));
      await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      if (jobKey(job) === "delivery-new") return undefined;
      // Over before all have been tried once more.
      throw new AppError("not its turn", { code: "subject-busy", remedy: "retry", retryAfterMs: 1_000 });
    };
    rig().work(queue, work, { concurrency: 0 });
    await expect.poll(() => new Set(begun).size, soon).toBe(MANY);

    const before = begun.length;
    await queue.enqueue(await newDelivery(rig(), "new", "one"));

    await expect.poll(() => begun, soon).toContain("delivery-new");
    const meanwhile = begun.slice(before, begun.indexOf("delivery-new"));
    expect(new Set(meanwhile).size).toBe(meanwhile.length);
  });
};

const MANY = 400;
const TRY_MS = 50;

const FLOOD = 10_000;
/** How many of one installation queues bring at once. */
const OF_ONE = { least: 4, most: 8 };
