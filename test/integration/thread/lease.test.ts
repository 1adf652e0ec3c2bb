import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { threadLease } from "../../../src/store/store.ts";
import { holdThread, processHolder } from "../../../src/thread/lease.ts";
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
});
