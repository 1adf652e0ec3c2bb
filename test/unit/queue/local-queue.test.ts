import { afterEach, describe, expect, it } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { QueueStore } from "../../../src/queue/due-jobs.ts";
import { localQueue } from "../../../src/queue/local-queue.ts";
import { type Job, type JobHandler, type JobWorker, jobKey } from "../../../src/queue/queue.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";

/** What should be with workers, and nothing else of a store. */
const waitingStore = () => {
  const deliveries: string[] = [];
  const threads: ThreadId[] = [];
  const store: QueueStore = {
    pendingDeliveries: async (limit) => deliveries.slice(0, limit).map((id) => ({ id, installation: id })),
    admit: async () => [...threads],
    thread: async (id) =>
      ({ installation: "github/17", status: "queued", admitted: threads.includes(id) }) as ThreadRecord,
    beat: async () => undefined,
    retire: async () => undefined,
  };
  return {
    store,
    deliver: (id: string): Job => {
      deliveries.push(id);
      return { kind: "delivery", id };
    },
    queueThread: (): Job => {
      const id = newThreadId();
      threads.push(id);
      return { kind: "thread", thread: id };
    },
    finish: (job: Job) => {
      const list: string[] = job.kind === "thread" ? threads : deliveries;
      list.splice(list.indexOf(job.kind === "thread" ? job.thread : job.id), 1);
    },
  };
};

const limits = { perRepository: 1, perInstallation: 4, total: null };

const passing = (retryAfterMs?: number) =>
  new AppError("not now", {
    code: "forge-unavailable",
    remedy: "retry",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe("localQueue", () => {
  let worker: JobWorker | undefined;
  let letGo: () => void = () => undefined;
  afterEach(async () => {
    letGo();
    await worker?.close();
    worker = undefined;
  });

  const work = (store: ReturnType<typeof waitingStore>["store"], handler: JobHandler, concurrency = 1) => {
    const clock = { ms: 0 };
    const queue = localQueue({ store, limits, log: silentLog, now: () => clock.ms });
    worker = queue.work(handler, { concurrency });
    return { clock, queue };
  };
  /** Handles jobs by finishing them; threads run until they are let go. */
  const recording = (waiting: ReturnType<typeof waitingStore>) => {
    const begun: string[] = [];
    const free = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const handler: JobHandler = async (job) => {
      begun.push(jobKey(job));
      if (job.kind === "thread") await free;
      waiting.finish(job);
    };
    return { begun, handler };
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

  it("takes deliveries while every place for threads is taken", async () => {
    const waiting = waitingStore();
    const { begun, handler } = recording(waiting);
    const thread = waiting.queueThread();
    const { queue } = work(waiting.store, handler);
    await expect.poll(() => begun).toEqual([jobKey(thread)]);

    const delivery = waiting.deliver("d1");
    await queue.enqueue(delivery);

    await expect.poll(() => begun).toEqual([jobKey(thread), jobKey(delivery)]);
  });

  it("runs no more threads at once than it may", async () => {
    const waiting = waitingStore();
    const { begun, handler } = recording(waiting);
    for (let i = 0; i < 5; i++) waiting.queueThread();
    work(waiting.store, handler, 2);

    await settled();

    expect(begun).toHaveLength(2);
  });

  it("sees what waits behind a hundred jobs that are not due", async () => {
    const waiting = waitingStore();
    const begun: string[] = [];
    for (let i = 0; i < 150; i++) waiting.deliver(`broken-${i}`);
    const good = waiting.deliver("good");
    const handler: JobHandler = async (job) => {
      begun.push(jobKey(job));
      if (job.kind === "delivery" && job.id.startsWith("broken")) throw passing();
      waiting.finish(job);
    };

    work(waiting.store, handler);

    await expect.poll(() => begun).toContain(jobKey(good));
  });

  it("brings a job back no sooner than after a second, whatever the error asks for", async () => {
    const waiting = waitingStore();
    let tries = 0;
    const handler: JobHandler = async () => {
      tries++;
      throw passing(0);
    };
    waiting.deliver("d1");
    const { clock, queue } = work(waiting.store, handler);
    await settled();
    const soon = tries;
    clock.ms += 1_000;
    await queue.enqueue({ kind: "delivery", id: "another" });
    await settled();

    expect([soon, tries]).toEqual([1, 2]);
  });

  it("brings a job back within an hour, whatever the error asks for", async () => {
    const waiting = waitingStore();
    let tries = 0;
    const handler: JobHandler = async () => {
      tries++;
      throw passing(30 * 24 * 3_600_000);
    };
    waiting.deliver("d1");
    const { clock, queue } = work(waiting.store, handler);
    await settled();
    clock.ms += 3_600_000;
    await queue.enqueue({ kind: "delivery", id: "another" });
    await settled();

    expect(tries).toBe(2);
  });

  it("takes a job at once that somebody asks for again", async () => {
    const waiting = waitingStore();
    let tries = 0;
    const handler: JobHandler = async () => {
      tries++;
      throw passing(60_000);
    };
    const job = waiting.deliver("d1");
    const { queue } = work(waiting.store, handler);
    await settled();
    await queue.enqueue(job);
    await settled();

    expect(tries).toBe(2);
  });

  it("leaves a job alone for minutes that ended in what does not heal", async () => {
    const waiting = waitingStore();
    let tries = 0;
    waiting.deliver("d1");
    const { clock, queue } = work(waiting.store, async () => {
      tries++;
      throw inputError("workflow-invalid", "not a workflow");
    });
    await settled();
    clock.ms += 4 * 60_000;
    await queue.enqueue({ kind: "delivery", id: "another" });
    await settled();
    const early = tries;
    clock.ms += 60_000;
    await queue.enqueue({ kind: "delivery", id: "another" });
    await settled();

    expect([early, tries]).toEqual([1, 2]);
  });

  it("runs no thread that the store has taken back meanwhile", async () => {
    const waiting = waitingStore();
    const begun: string[] = [];
    const thread = waiting.queueThread();
    const store: QueueStore = {
      ...waiting.store,
      thread: async () => ({ installation: "github/17", status: "paused", admitted: false }) as ThreadRecord,
    };
    work(store, async (job) => void begun.push(jobKey(job)));
    await settled();

    expect(begun).not.toContain(jobKey(thread));
  });

  it("does not spin on a job that its handler leaves as it is", async () => {
    const waiting = waitingStore();
    let tries = 0;
    waiting.deliver("d1");
    work(waiting.store, async () => void tries++);

    await settled();

    expect(tries).toBe(1);
  });
});
