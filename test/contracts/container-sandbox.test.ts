import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { containerSandbox } from "../../src/workspace/sandbox/container-sandbox.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { type ContainerEngine, containerEngine, containerEngineIsHere } from "../rigs/container-engine.ts";
import { sandboxContract, sandboxRig } from "./sandbox.contract.ts";

const LIMITS = { runtime: null, memoryMb: 256, processes: 64, diskMb: 64, files: 2_000 };
const skip = !containerEngineIsHere();

describe.skipIf(skip)("with Docker's engine (needs dockerd and root)", () => {
  let engine: ContainerEngine;
  let open: Sandbox;
  beforeAll(async () => {
    engine = await containerEngine();
    open = containerSandbox({ ...LIMITS, socket: engine.socket, image: engine.image });
  });
  afterAll(() => engine.dispose());

  /** The engine is there once tests run, not yet while they are listed. */
  const sandbox: Sandbox = {
    kind: "container",
    owner: { uid: 65_525, gid: 65_525 },
    insidePath: (path) => `/${path.split("/").at(-1)}`,
    check: (mounts) => open.check(mounts),
    run: (command) => open.run(command),
  };

  sandboxContract("containerSandbox", sandbox, { skip: false });

  it("leaves no container behind, and removes what a killed process has left", async () => {
    const { docker, image } = engine;
    const left = await docker.createContainer({
      Image: image,
      Cmd: ["/bin/sleep", "60"],
      Labels: { "uwf.host": (await import("node:os")).hostname(), "uwf.process": "999999999" },
      HostConfig: { NetworkMode: "none" },
    });
    await left.start();

    await sandbox.check();

    expect(await docker.listContainers({ all: true })).toEqual([]);
  });

  it("bounds memory and disk of a command, and says so", async () => {
    const rig = await sandboxRig(sandbox);

    const memory = await rig.run(
      "head -c 200000000 /dev/zero > /dev/shm/a; head -c 200000000 /dev/zero > /tmp/b; echo on",
    );
    const disk = await rig.run(
      "for i in 1 2 3 4 5 6 7 8 9; do head -c 33554432 /dev/zero > f$i; sleep 0.3; done",
    );
    rig.dispose();

    expect(memory.output).toContain("[a process was ended: the command had all of its 256 MiB of memory]");
    expect(disk.output).toMatch(/the workspace has \d+ MiB and may have 64/);
  });

  it("says which image is missing, and that no engine is there", async () => {
    const { socket } = engine;
    const elsewhere = containerSandbox({ ...LIMITS, socket: "/nonexistent.sock", image: "uwf-test" });

    await expect(containerSandbox({ ...LIMITS, socket, image: "uwf-none" }).check()).rejects.toMatchObject({
      code: "sandbox-unavailable",
      hint: expect.stringContaining("docker pull"),
    });
    await expect(elsewhere.check()).rejects.toMatchObject({
      code: "sandbox-unavailable",
      remedy: "fix-config",
      hint: expect.stringContaining("sandbox.container.socket"),
    });
  });
});
