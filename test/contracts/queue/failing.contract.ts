import { expect, it } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import { newDelivery, newThread, type Rig, soon, statusOf, untilAnotherRan } from "./rig.ts";

const passing = (retryAfterMs?: number) =>
  new AppError("not now", {
    code: "forge-unavailable",
    remedy: "retry",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

export const failingContract = (rig: () => Rig): void => {
  it("brings back what may heal, until it is done", async () => {
    const queue = rig().queue();
    let tries = 0;
    rig().work(queue, async () => {
      if (++tries < 3) throw passing();
      return undefined;
    });

    await queue.enqueue(await newDelivery(rig(), "d1"));

    await expect.poll(() => rig().store.pendingDeliveries(1), soon).toEqual([]);
    expect(tries).toBe(3);
  });

  it("waits as long as the error asks for", async () => {
    const queue = rig().queue();
    const at: number[] = [];
    rig().work(queue, async () => {
      at.push(Date.now());
      if (at.length === 1) throw passing(2_500);
      return undefined;
    });

    await queue.enqueue(await newDelivery(rig(), "d1"));

    await expect.poll(() => rig().store.pendingDeliveries(1), soon).toEqual([]);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(2_400);
  });

  it("does not bring back what would fail again", async () => {
    const queue = rig().queue();
    let tries = 0;
    const bad = await newDelivery(rig(), "bad");
    rig().work(queue, async (job) => {
      if (job.kind === "thread") return undefined;
      tries++;
      throw inputError("workflow-invalid", "no workflow");
    });
    await queue.enqueue(bad);
    await expect.poll(() => tries, soon).toBe(1);

    await untilAnotherRan(rig(), queue);
    await untilAnotherRan(rig(), queue);

    expect(tries).toBe(1);
    expect(await rig().store.pendingDeliveries(1)).toMatchObject([{ id: "bad" }]);
  });

  it.each([
    ["waits for its next try", () => passing(3_000_000)],
    ["would have failed again", () => inputError("workflow-invalid", "no workflow")],
  ])("brings a job at once that %s when somebody asks for it", async (_, failure) => {
    const queue = rig().queue();
    let tries = 0;
    const job = await newDelivery(rig(), "d1");
    rig().work(queue, async () => {
      if (++tries === 1) throw failure();
      return undefined;
    });
    await queue.enqueue(job);
    await expect.poll(() => tries, soon).toBe(1);

    // The failure may not be written down yet.
    await expect
      .poll(async () => {
        await queue.enqueue(job);
        return tries;
      }, soon)
      .toBe(2);

    await expect.poll(() => rig().store.pendingDeliveries(1), soon).toEqual([]);
  });

  it("leaves a thread to the store when its handler throws after it has gone back there", async () => {
    const queue = rig().queue();
    let tries = 0;
    const thread = await newThread(rig());
    rig().work(queue, async (job) => {
      if (job.kind === "thread" && job.thread === thread.thread) {
        tries++;
        await rig().store.advance(job.thread, {}, { status: "queued", dueAt: Date.now() + 3_000_000 });
        throw passing();
      }
      return undefined;
    });
    await expect.poll(() => tries, soon).toBe(1);

    await untilAnotherRan(rig(), queue);
    await untilAnotherRan(rig(), queue);

    expect(tries).toBe(1);
    expect(await statusOf(rig(), thread.thread)).toBe("queued");
  });
};
