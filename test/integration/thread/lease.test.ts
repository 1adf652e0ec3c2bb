import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { newThreadId } from "../../../src/base/ids.ts";
import { processHolder } from "../../../src/base/process-holder.ts";
import { holdLease, type LeaseStore } from "../../../src/store/hold-lease.ts";
import { threadLease } from "../../../src/store/store.ts";
import { holdThread } from "../../../src/thread/lease.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

describe("holdThread", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  const thread = newThreadId();
  const [machine] = processHolder().split(":");
  const hold = (holder = processHolder()) =>
    holdThread(temporary.store, { thread, holder, onLost: () => undefined });
  const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];

  it("refuses a second holder until the first lets go", async () => {
    const first = await hold();

    await expect(hold()).rejects.toMatchObject({ code: "thread-busy", remedy: "retry" });
    await first.release();

    await (await hold()).release();
  });

  it.skipIf(process.platform !== "linux")(
    "takes over at once from a process of this machine that has died",
    async () => {
      const child = spawn("sleep", ["60"]);
      const { pid = 0 } = child;
      await temporary.store.lease(threadLease(thread), `${machine}:${pid}:${startOf(pid)}:x`, 60_000);
      await expect(hold()).rejects.toMatchObject({ code: "thread-busy" });
      child.kill("SIGKILL");
      await once(child, "close");

      const taken = await hold();

      await taken.release();
    },
  );

  it("leaves the lease of another machine alone until it is over", async () => {
    await temporary.store.lease(threadLease(thread), "elsewhere:1:1:x", 60_000);

    await expect(hold()).rejects.toMatchObject({ code: "thread-busy" });
  });

  it("excludes a second hold by the same process", async () => {
    const holder = processHolder();
    const first = await hold(holder);

    await expect(hold(holder)).rejects.toMatchObject({ code: "thread-busy" });

    await first.release();
  });
});

describe("holdLease", () => {
  let temporary: TemporaryStore;
  const clock = { ahead: 0 };
  beforeEach(() => {
    clock.ahead = 0;
    temporary = temporaryStore({ now: () => Date.now() + clock.ahead });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await temporary.dispose();
  });

  /** A lease whose n-th asking (the first takes it) goes as `faults[n]` says; as it should where that is undefined. */
  const holdWith = async (
    faults: readonly (Error | "silence" | undefined)[] = [],
    { ttlMs = 600 }: { ttlMs?: number } = {},
  ) => {
    const { store } = temporary;
    const seen = { askings: 0, lost: 0 };
    const options = {
      key: "k",
      holder: processHolder(),
      ttlMs,
      onLost: () => seen.lost++,
      busy: (other: string) => new AppError(other, { code: "busy", remedy: "retry" }),
    };
    const faulty: LeaseStore = {
      release: store.release,
      leaseHolder: store.leaseHolder,
      lease: async (...asked) => {
        const fault = faults[seen.askings++];
        if (fault instanceof Error) throw fault;
        if (fault === "silence") return new Promise(() => undefined);
        return store.lease(...asked);
      },
    };
    return { lease: await holdLease(faulty, options), seen };
  };

  it("is not lost by one renewal that fails, of which whoever asked for it is told", async () => {
    const { lease, seen } = await holdWith([undefined, new Error("the database is busy")], { ttlMs: 60_000 });

    await expect(lease.ensure()).rejects.toThrow("the database is busy");
    await lease.ensure();

    expect(seen.lost).toBe(0);
    await lease.release();
    expect(await temporary.store.leaseHolder("k")).toBeUndefined();
  });

  it("says once that it is lost when another has it", async () => {
    const { lease, seen } = await holdWith();
    await temporary.store.release("k", lease.holder);
    await temporary.store.lease("k", "another", 60_000);

    await expect.poll(() => seen.lost, { timeout: 20_000 }).toBe(1);
    await expect(lease.ensure()).rejects.toMatchObject({ code: "lease-lost", remedy: "retry" });
    await lease.release();

    expect(seen.lost).toBe(1);
    expect(await temporary.store.leaseHolder("k")).toBe("another");
  });

  it("is lost when another has had it and let it go, however soon that was", async () => {
    const { lease, seen } = await holdWith([], { ttlMs: 60_000 });
    await temporary.store.release("k", lease.holder);

    await expect(lease.ensure()).rejects.toMatchObject({ code: "lease-lost" });

    expect(seen.lost).toBe(1);
    await lease.release();
  });

  it("is lost in time when the store does not answer", async () => {
    const { seen } = await holdWith([undefined, "silence"]);

    await expect.poll(() => seen.lost, { timeout: 20_000 }).toBe(1);
  });

  it("is let go at once when it is lost, though the store still does not answer", async () => {
    const { lease, seen } = await holdWith([undefined, "silence"]);
    await expect.poll(() => seen.lost, { timeout: 20_000 }).toBe(1);

    await lease.release();
  });

  it("is not lost when somebody sets this process's clock", async () => {
    const { lease, seen } = await holdWith([], { ttlMs: 60_000 });

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    clock.ahead = -86_400_000;
    await lease.ensure();
    vi.setSystemTime(0);
    clock.ahead = Math.round(performance.timeOrigin + performance.now());
    await lease.ensure();

    expect(seen.lost).toBe(0);
    await lease.release();
  });

  it("is lost when the store's clock says that others could have had it", async () => {
    const { lease } = await holdWith([], { ttlMs: 60_000 });

    clock.ahead = 61_000;

    await expect(lease.ensure()).rejects.toMatchObject({ code: "lease-lost" });
    await lease.release();
  });
});
