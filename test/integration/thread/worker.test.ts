import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { ThreadId } from "../../../src/base/ids.ts";
import { type Log, silentLog } from "../../../src/base/log.ts";
import { resolves } from "../../../src/llm/scripted-model.ts";
import type { JobHandler, Queue } from "../../../src/queue/queue.ts";
import { holdThread } from "../../../src/thread/lease.ts";
import type { MonthlyLimits } from "../../../src/worker/budget-accounts.ts";
import { startWorker, type Worker } from "../../../src/worker/worker.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type MachineOptions, machine, movingFiles, startMoving } from "../../fixtures/moving-thread.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const onGithub = {
  forge: "github" as const,
  repository: "acme/parser",
  requester: { login: "mona", id: 1 },
  installationId: 17,
};
type HandlerOptions = Partial<MachineOptions> & { monthly?: MonthlyLimits | null };
const script = { developer: [resolves({ done: true })], submitter: [] };

describe("a worker's thread job", () => {
  let directory: string;
  let temporary: TemporaryStore;
  let source: GitSource;
  let worker: Worker | undefined;
  let shown: ThreadId[];
  let logged: string[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "uwf-worker-"));
    temporary = temporaryStore();
    source = gitSource(movingFiles);
    shown = [];
    logged = [];
  });
  afterEach(async () => {
    await worker?.close();
    await temporary.dispose();
    source.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Begins a worker and answers what it does with a job. */
  const handlerOf = ({ monthly = null, ...more }: HandlerOptions = {}): JobHandler => {
    let handler: JobHandler = async () => expect.fail("the worker takes no job");
    const queue: Queue = {
      enqueue: async () => undefined,
      work: (given) => {
        handler = given;
        return { close: async () => undefined };
      },
      check: async () => undefined,
      close: async () => undefined,
    };
    const forge = fakeForge();
    forge.remote = async () => ({ url: source.repository, token: null });
    const note: Log["warn"] = (_fields, message) => void logged.push(message);
    worker = startWorker({
      engine: machine({
        store: temporary.store,
        root: join(directory, "storage"),
        script,
        forge,
        log: { ...silentLog, info: note, warn: note },
        ...more,
      }),
      queue,
      reporter: {
        see: () => undefined,
        show: async (id) => void shown.push(id),
        refresh: () => undefined,
        catchUp: async () => undefined,
        close: async () => undefined,
      },
      deliveries: null,
      concurrency: 1,
      monthly,
    });
    return handler;
  };
  const run = (handler: JobHandler, thread: ThreadId) =>
    handler({ kind: "thread", thread }, new AbortController().signal);
  const start = async ({ admitted, ...budget }: { admitted: boolean; budgetUsd?: number }) => {
    const { id } = await startMoving(temporary.store, source, onGithub, budget);
    if (!admitted) return id;
    await temporary.store.beat("worker", { places: 1, ttlMs: 60_000 });
    expect(await temporary.store.admit({ perRepository: 1, perInstallation: 1, total: null })).toEqual([id]);
    return id;
  };
  const down = async (name: string) => {
    if (name === "ask") throw new AppError("It is down.", { code: "model-unavailable", remedy: "retry" });
  };

  it("is left alone while the store has not admitted the thread", async () => {
    const id = await start({ admitted: false });

    await run(handlerOf(), id);

    expect(await temporary.store.thread(id)).toMatchObject({ status: "queued" });
    expect([shown, logged]).toEqual([[], []]);
  });

  it("is done when the thread is queued for later, and says so", async () => {
    const id = await start({ admitted: true });

    await run(handlerOf({ point: down }), id);

    const record = await temporary.store.thread(id);
    expect(record).toMatchObject({ status: "queued", admitted: false });
    expect(record?.dueAt).toBeGreaterThan(Date.now() - 60_000);
    expect(record?.reason).toContain("It is down.");
    expect([shown, logged]).toEqual([[id], ["thread is tried again later"]]);
  });

  it("comes again from the queue while another run has the thread", async () => {
    const id = await start({ admitted: true });
    const options = { thread: id, holder: "elsewhere:1:1:x", onLost: () => undefined };
    const other = await holdThread(temporary.store, options);

    await expect(run(handlerOf(), id)).rejects.toMatchObject({ code: "thread-busy", remedy: "retry" });

    await other.release();
  });

  it("comes again from the queue when the store cannot be asked", async () => {
    const id = await start({ admitted: true });
    const gone = new AppError("The store is gone.", { code: "store-unreachable", remedy: "retry" });
    const store = { ...temporary.store, thread: () => Promise.reject(gone) };

    await expect(run(handlerOf({ store }), id)).rejects.toBe(gone);
  });

  describe("with a limit by month", () => {
    const monthly = { actorUsd: null, repositoryUsd: null, organisationUsd: null, totalUsd: 5 };
    const reserved = () => temporary.store.reserved("total", new Date().toISOString().slice(0, 7));

    it("sets the thread's money aside while it runs", async () => {
      const id = await start({ admitted: true, budgetUsd: 5 });
      const during: number[] = [];
      const point = async (name: string) => {
        if (name === "ask") during.push(await reserved());
        await down(name);
      };

      await run(handlerOf({ monthly, point }), id);

      expect(during).toEqual([5]);
      expect(await reserved()).toBe(0);
    });

    it("pauses the thread for which there is no room, and shows why", async () => {
      const id = await start({ admitted: true, budgetUsd: 5.01 });

      await run(handlerOf({ monthly }), id);

      const record = await temporary.store.thread(id);
      expect(record).toMatchObject({ status: "paused", tip: null });
      expect(record?.reason).toMatch(
        /^\$0\.00 of the \$5\.00 .* may cost another \$5\.01\. \/resume goes on/,
      );
      expect([shown, logged]).toEqual([[id], ["thread may not run"]]);
    });

    it("leaves the money of a thread alone that another run has", async () => {
      const id = await start({ admitted: true, budgetUsd: 5 });
      const options = { thread: id, holder: "elsewhere:1:1:x", onLost: () => undefined };
      const other = await holdThread(temporary.store, options);

      await expect(run(handlerOf({ monthly }), id)).rejects.toMatchObject({ code: "thread-busy" });

      expect(await reserved()).toBe(5);
      await other.release();
    });

    it("gives the money back in the next job when it could not", async () => {
      const id = await start({ admitted: true, budgetUsd: 5 });
      const gone = new AppError("The store is gone.", { code: "store-unreachable", remedy: "retry" });
      const store = { ...temporary.store, settle: () => Promise.reject(gone) };
      await expect(run(handlerOf({ monthly, store }), id)).rejects.toBe(gone);
      expect([(await temporary.store.thread(id))?.status, await reserved()]).toEqual(["failed", 5]);

      await worker?.close();
      await run(handlerOf({ monthly }), id);

      expect(await reserved()).toBe(0.001);
    });
  });
});
