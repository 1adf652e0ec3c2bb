import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { findCgroups } from "../../../src/workspace/sandbox/cgroup/cgroups.ts";
import { sandboxRig } from "../../contracts/sandbox.contract.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";

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
