import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { findCgroups } from "../../../src/workspace/sandbox/cgroup/cgroups.ts";
import { sandboxRig } from "../../contracts/sandbox.contract.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { temporaryDirectory } from "../../rigs/temporary-directory.ts";

const MIB = 1024 * 1024;
const LIMITS = { network: [], memoryMb: 128, processes: 40, diskMb: 64, files: 2_000 };
const cgroups = bubblewrapIsHere() ? findCgroups().cgroups : null;

describe.skipIf(!bubblewrapIsHere())("a command that takes too much", () => {
  let rig: Awaited<ReturnType<typeof sandboxRig>>;
  afterEach(() => rig.dispose());

  it("of the disk is ended, and told why", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));

    const { exitCode, output } = await rig.run(
      "i=0; while head -c 8388608 /dev/zero > f$i; do i=$((i+1)); sleep 0.02; done",
    );

    expect(exitCode).toBe(137);
    expect(output).toMatch(/^\[the command was ended: the workspace has \d+ MiB and may have 64\]\n$/);
  });

  it("in files is ended, and may remove them afterwards", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));

    const filled = await rig.run("i=0; while :; do i=$((i+1)); : > f$i; done");
    const cleared = await rig.run("find . -name 'f*' -delete; ls -A | wc -l");

    expect(filled.output).toMatch(/the workspace has \d+ files and may have 2000/);
    expect(cleared).toMatchObject({ exitCode: 0, output: "0\n" });
  });

  it("of the disk in a file without a name is ended, and told why", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));

    const { exitCode, output } = await rig.run(
      "exec 3> f; rm f; while head -c 8388608 /dev/zero >&3; do sleep 0.02; done",
    );

    expect(exitCode).toBe(137);
    expect(output).toMatch(
      /has (\d+) MiB, \d+ of them in files that have no name any more, and may have 64\]\n$/,
    );
  });

  it("is not ended for what others take of the disk meanwhile", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));
    const others = await temporaryDirectory("uwf-others-");
    const command = rig.run(`head -c ${40 * MIB} /dev/zero > f; touch written; sleep 1.5; echo done`);
    try {
      await expect.poll(() => existsSync(join(rig.directory, "written")), { timeout: 20_000 }).toBe(true);

      for (let i = 0; i < 12; i++) {
        writeFileSync(join(others.path, `f${i}`), Buffer.alloc(10 * MIB, 1));
        await setTimeout(50);
      }

      expect(await command).toMatchObject({ exitCode: 0, output: "done\n" });
    } finally {
      await others.remove();
    }
  });

  it("over several commands is ended in the one that goes too far", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));
    const fill = (name: string) => rig.run(`head -c ${40 * MIB} /dev/zero > ${name}; sleep 0.3`);

    expect(await fill("first")).toMatchObject({ exitCode: 0, output: "" });
    expect((await fill("second")).output).toContain("may have 64]");
  });

  it.skipIf(cgroups === null)(
    "of the memory that its processes share is ended, and told why (needs a control group to write)",
    async () => {
      rig = await sandboxRig(bubblewrapSandbox(LIMITS));

      const { output } = await rig.run(`head -c ${200 * MIB} /dev/zero > /dev/shm/x; echo after`);

      expect(output).toContain("[a process was ended: the command had all of its 128 MiB of memory]\n");
    },
  );

  it.skipIf(cgroups === null)("leaves no control group behind (needs a control group to write)", async () => {
    rig = await sandboxRig(bubblewrapSandbox(LIMITS));

    const { output } = await rig.run("sleep 60 & setsid sleep 60 & cat /proc/self/cgroup | head -1");

    expect(output).toMatch(/:\/\n$/);
    const left = spawnSync("find", ["/sys/fs/cgroup", "-name", `uwf-command-${process.pid}-*`], {
      encoding: "utf8",
    });
    expect(left.stdout).toBe("");
  });
});

it.skipIf(!bubblewrapIsHere())("a command that keeps a file without a name to itself is ended, too", () => {
  const fill = `x=$(head -c 4000000 /dev/zero | tr "\\0" x); while :; do printf %s "$x" >&3; done`;

  const { stdout, stderr } = spawnSync(process.execPath, [
    fileURLToPath(new URL("../../fixtures/limited-sandbox-child.ts", import.meta.url)),
    `cp /bin/bash unreadable; chmod 111 unreadable; exec 3> f; rm f; exec ./unreadable -c '${fill}'`,
  ]);

  expect(`${stdout}${stderr}`).toMatch(/of them in files that have no name any more, and may have 64\]\n$/);
});
