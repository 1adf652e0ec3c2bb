import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContainerConfig, containerSandbox } from "../../../src/workspace/sandbox/container-sandbox.ts";
import { type SandboxRig, sandboxRig } from "../../contracts/sandbox.contract.ts";
import { type ContainerEngine, containerEngine, containerEngineIsHere } from "../../rigs/container-engine.ts";
import { type EngineFaults, engineFaults } from "../../rigs/engine-faults.ts";

const KILL = /^POST .*\/kill/;
const REMOVE = /^DELETE /;
const WAIT = /^POST .*\/wait/;

describe.skipIf(!containerEngineIsHere())("a container engine that fails (needs dockerd and root)", () => {
  let engine: ContainerEngine;
  let faults: EngineFaults;
  let rig: SandboxRig & { dispose(): void };
  const config = (): ContainerConfig => ({
    ...{ runtime: null, memoryMb: 256, processes: 64, patienceMs: 3_000 },
    ...{ socket: faults.socket, image: engine.image },
  });
  const containers = () => engine.docker.listContainers({ all: true });
  beforeAll(async () => {
    engine = await containerEngine();
  });
  afterAll(() => engine.dispose());
  beforeEach(async () => {
    faults = await engineFaults(engine.socket);
    rig = await sandboxRig(containerSandbox(config()));
  });
  afterEach(async () => {
    rig.dispose();
    await faults.dispose();
    for (const { Id } of await containers()) await engine.docker.getContainer(Id).remove({ force: true });
  });

  it("answers a program that ends without reading what it is given", async () => {
    const direct = await sandboxRig(containerSandbox({ ...config(), socket: engine.socket }));
    const stdin = "x".repeat(4 * 1024 * 1024);

    const results = await Promise.all(
      Array.from({ length: 4 }, () => direct.run("head -c 1; exit 3", { stdin })),
    );

    for (const result of results) expect(result).toMatchObject({ exitCode: 3, output: "x" });
    direct.dispose();
  });

  it("waits anew when its connections break, and says that output may be missing", async () => {
    const waiting = faults.asked(WAIT);
    const stdin = "x".repeat(4 * 1024 * 1024);
    const running = rig.run("sleep 1; echo unheard; exit 4", { stdin });
    await waiting;
    setTimeout(() => faults.cut(), 200);

    expect(await running).toMatchObject({
      exitCode: 4,
      output: expect.stringMatching(/^\[.*connection to the container engine broke.*\]\n$/),
    });
    expect(await containers()).toEqual([]);
  });

  it("kills again what it may not kill at first, on time-out", async () => {
    const refused = faults.refuse(KILL, 2);

    const result = await rig.run("echo begun; sleep 60", { timeoutMs: 500 });

    expect(result).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
    expect(refused()).toBe(2);
    expect(await containers()).toEqual([]);
  });

  it("kills again what it may not kill at first, when cancelled", async () => {
    faults.refuse(KILL, 1);
    const controller = new AbortController();
    const running = rig.run("sleep 60", { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("cancelled by a person")), 500);

    await expect(running).rejects.toThrow("cancelled by a person");
    expect(await containers()).toEqual([]);
  });

  it("says that it cannot end a command, and begins no other until that is gone", async () => {
    faults.refuse(KILL);
    faults.refuse(REMOVE);
    const unavailable = {
      code: "sandbox-unavailable",
      message: expect.stringContaining("an injected fault"),
    };

    await expect(rig.run("sleep 60", { timeoutMs: 500 })).rejects.toMatchObject(unavailable);
    await expect(rig.run("echo beside it")).rejects.toMatchObject(unavailable);
    faults.relent();

    expect(await rig.run("echo after it")).toMatchObject({ output: "after it\n" });
    expect(await containers()).toEqual([]);
  });

  it("answers a command whose container it may not remove, and removes that before the next one", async () => {
    faults.refuse(REMOVE, 2);

    expect(await rig.run("echo one")).toMatchObject({ exitCode: 0, output: "one\n" });
    expect(await containers()).toHaveLength(1);
    expect(await rig.run("echo two")).toMatchObject({ exitCode: 0, output: "two\n" });
    expect(await containers()).toHaveLength(1);
    expect(await rig.run("echo three")).toMatchObject({ exitCode: 0, output: "three\n" });
    expect(await containers()).toEqual([]);
  });
});
