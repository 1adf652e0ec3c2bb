import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { giveTo } from "../../../src/workspace/checkout.ts";
import { openDirectories } from "../../../src/workspace/closed-directories.ts";
import { removeTree } from "../../../src/workspace/directories.ts";
import type { DiskUse } from "../../../src/workspace/sandbox/disk-use.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

const MIB = 1024 * 1024;
const counting = fileURLToPath(new URL("../../fixtures/disk-use-child.ts", import.meta.url));
const watching = fileURLToPath(new URL("../../fixtures/disk-watch-child.ts", import.meta.url));
/** Root would see everything. */
const user = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe("the use of the disk, counted by who is not root", () => {
  let temporary: TemporaryDirectory;
  let tree: string;
  beforeEach(async () => {
    temporary = await temporaryDirectory("uwf-disk-use-");
    tree = join(temporary.path, "tree");
    for (const each of [tree, join(temporary.path, "outside")]) await mkdir(each);
    if (user.uid !== undefined) await giveTo(user, temporary.path);
  });
  afterEach(() => removeTree(temporary.path));

  const within = (script: string) => promisify(execFile)("bash", ["-ec", script], { cwd: tree, ...user });
  const child = async (file: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [file, ...args])).stdout;
  const count = async (): Promise<DiskUse | string> => JSON.parse(await child(counting, [tree]));

  it("has what lies in directories that are closed to their owner, each within another", async () => {
    await within(
      "mkdir -p a/b/c d; head -c 20M /dev/zero > a/b/c/f; head -c 20M /dev/zero > d/f; chmod 000 a/b/c a/b a; chmod 400 d",
    );

    const { bytes, files } = (await count()) as DiskUse;

    expect(bytes).toBeGreaterThan(40 * MIB);
    expect(files).toBe(7);
  });

  it("has what lies in a tree that is closed itself", async () => {
    await within("head -c 20M /dev/zero > f; chmod 000 .");

    expect(((await count()) as DiskUse).bytes).toBeGreaterThan(20 * MIB);
  });

  it("follows no link that is put in a closed directory's place", async () => {
    const outside = join(temporary.path, "outside");
    const names = "s{1..40}";
    await within(
      "chmod 000 ../outside; mkdir c{1..1000} ../links; for i in {1..40}; do ln -s ../outside ../links/s$i; done",
    );
    const swap = `mkdir -m 000 ${names}; sleep 0.01; rmdir ${names}; mv ../links/* .; sleep 0.01; mv ${names} ../links`;
    const swapping = spawn("bash", ["-c", `while :; do ${swap}; done`], {
      cwd: tree,
      ...user,
      stdio: "ignore",
    });

    // What is found is opened some hundred milliseconds later at times.
    for (let time = 0; time < 10; time++) {
      await within("chmod 000 c*");
      await openDirectories(tree);
    }
    swapping.kill("SIGKILL");
    await once(swapping, "close");

    expect((await stat(outside)).mode & 0o777).toBe(0);
  });

  it("cannot be told of more directories within each other than are opened at a time, until these are opened", async () => {
    await within(
      "for _ in {1..15}; do mkdir d; cd d; done; head -c 20M /dev/zero > f; for _ in {1..15}; do cd ..; chmod 000 d; done",
    );

    expect(await count()).toBe("it has directories that stay closed to their owner");
    expect(((await count()) as DiskUse).bytes).toBeGreaterThan(20 * MIB);
  });

  it("ends a command that fills closed directories", async () => {
    const fill =
      "for i in {1..9}; do mkdir d$i; head -c 20M /dev/zero > d$i/f; chmod 000 d$i; sleep 0.2; done";

    expect(await child(watching, [fill, tree])).toMatch(/the workspace has \d+ MiB and may have 64/);
  });
});
