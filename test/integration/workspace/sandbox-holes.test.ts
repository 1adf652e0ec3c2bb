import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { sandboxRig } from "../../contracts/sandbox.contract.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";

const child = fileURLToPath(new URL("../../fixtures/sandbox-child.ts", import.meta.url));

describe.skipIf(!bubblewrapIsHere())("a sandbox keeps closed", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "uwf-holes-"));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "secret"), "secret of the host", { mode: 0o644 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("files and directories that this process was started with open", () => {
    const open = openSync(folder, "r");
    const inherited = Array.from({ length: 41 }, (_, number) => (number === 40 ? open : ("ignore" as const)));

    const { stdout, status } = spawnSync(process.execPath, [child, "cat /proc/self/fd/40/secret 2>&1"], {
      stdio: ["ignore", "pipe", "inherit", ...inherited.slice(3)],
      encoding: "utf8",
    });
    closeSync(open);

    expect(status).toBe(0);
    expect(stdout).not.toContain("secret of the host");
    expect(stdout).toMatch(/(Not a directory|No such file)/);
  });

  it("a storage root that lies in a directory which is shown", async () => {
    const root = join(folder, "lib", "storage");
    mkdirSync(join(folder, "bin"));
    for (const name of ["node", "npm"]) writeFileSync(join(folder, "bin", name), "", { mode: 0o755 });
    mkdirSync(join(root, "mirror"), { recursive: true });
    for (const path of [join(root, ".env"), join(root, "mirror", "object"), join(folder, "lib", "beside")])
      writeFileSync(path, path, { mode: 0o644 });
    const config = {
      memoryMb: 512,
      processes: 40,
      path: `${join(folder, "bin")}:/usr/bin:/bin`,
    };
    const rig = await sandboxRig(bubblewrapSandbox({ ...config, hidden: [root] }));

    const { output } = await rig.run(
      `cat ${folder}/lib/beside ${root}/mirror/object; ls -A ${root}; touch ${root}/x 2>/dev/null && echo wrote`,
      {
        cwd: "/",
        mounts: [{ source: join(root, "mirror"), target: join(root, "mirror"), writable: false }],
      },
    );
    rig.dispose();

    expect(output).toBe(`${folder}/lib/beside${root}/mirror/objectmirror\n`);
  });
});
