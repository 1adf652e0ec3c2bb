import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { processHolder } from "../../../src/base/process-holder.ts";
import { withDirectoryLock } from "../../../src/workspace/mirror-lock.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const directory = { directory: "/somewhere/mirror.git", key: "volume/mirror.git" };

let temporary: TemporaryStore;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.dispose());

const lock = <T>(work: () => Promise<T>) =>
  withDirectoryLock(temporary.store, directory, { signal: new AbortController().signal, work });

it("lets one at a time work on a directory", async () => {
  const steps: string[] = [];
  const working = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    steps.push(`${name} ends`);
  };

  await Promise.all([lock(working("one")), lock(working("two"))]);

  expect(steps[0]?.split(" ")[0]).toBe(steps[1]?.split(" ")[0]);
  expect(steps[2]?.split(" ")[0]).toBe(steps[3]?.split(" ")[0]);
});

it.skipIf(process.platform !== "linux")("does not wait for a process that has died", async () => {
  const child = spawn("sleep", ["60"]);
  const { pid = 0 } = child;
  const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
  const [machine] = processHolder().split(":");
  await temporary.store.lease("directory/volume/mirror.git", `${machine}:${pid}:${start}:x:y`, 3_600_000);
  child.kill("SIGKILL");
  await once(child, "close");

  expect(await lock(async () => "done")).toBe("done");
});
