import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../fixtures/is-running.ts";
import type { Started } from "../../fixtures/rigs-worker.ts";
import { namespacesAreHere } from "../../rigs/network-namespace.ts";
import { postgresIsHere } from "../../rigs/postgres-server.ts";
import { redisIsHere } from "../../rigs/redis-server.ts";

const script = fileURLToPath(new URL("../../fixtures/rigs-worker.ts", import.meta.url));

const addresses = () =>
  Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);

const allAreHere = namespacesAreHere() && postgresIsHere() && redisIsHere();

describe.skipIf(!allAreHere)("a test that is killed", () => {
  it("leaves no process, directory or link of its rigs behind", async () => {
    const test = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(test.stdout, "data");
    const { pids, directory, hostAddress } = JSON.parse(String(line)) as Started;
    const before = { pids: pids.filter(isRunning), directory: existsSync(directory), addresses: addresses() };

    test.kill("SIGKILL");

    const eventually = (read: () => unknown) => expect.poll(read, { timeout: 50_000 });
    expect(pids).toHaveLength(3);
    expect(before).toMatchObject({ pids, directory: true, addresses: expect.arrayContaining([hostAddress]) });
    await eventually(() => pids.filter(isRunning)).toEqual([]);
    await eventually(() => existsSync(directory)).toBe(false);
    await eventually(addresses).not.toContain(hostAddress);
  });
});
