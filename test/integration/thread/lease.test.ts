import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { newThreadId } from "../../../src/base/ids.ts";
import { processHolder } from "../../../src/base/process-holder.ts";
import { holdLease } from "../../../src/store/hold-lease.ts";
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
      await temporary.store.lease(threadLease(thread), `${hostname()}:${pid}:${startOf(pid)}:x`, 60_000);
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
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  const holdWith = async (faults: readonly (boolean | Error)[]) => {
    const { store } = temporary;
    const seen = { renewals: 0, lost: 0 };
    const lease = await holdLease(
      {
        release: store.release,
        leaseHolder: store.leaseHolder,
        lease: async (...asked) => {
          const fault = faults[seen.renewals++];
          if (fault instanceof Error) throw fault;
          return fault ?? store.lease(...asked);
        },
      },
      {
        key: "k",
        holder: processHolder(),
        ttlMs: 600,
        onLost: () => seen.lost++,
        busy: (other) => new AppError(other, { code: "busy", remedy: "retry" }),
      },
    );
    return { lease, seen };
  };

  it("is not lost by one renewal that fails", async () => {
    const { lease, seen } = await holdWith([true, new Error("the database is busy")]);

    await expect.poll(() => seen.renewals, { timeout: 5_000 }).toBeGreaterThan(3);

    expect(seen.lost).toBe(0);
    await lease.release();
    expect(await temporary.store.leaseHolder("k")).toBeUndefined();
  });

  it("says once that it is lost when another has it", async () => {
    const { lease, seen } = await holdWith([true, false, false, false]);

    await expect.poll(() => seen.renewals, { timeout: 5_000 }).toBeGreaterThan(3);

    expect(seen.lost).toBe(1);
    await lease.release();
  });
});
