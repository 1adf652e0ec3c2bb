import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceFiles } from "../../../src/workspace/workspace.ts";
import { workspaceFiles } from "../../../src/workspace/workspace-files.ts";

describe("workspaceFiles", () => {
  let parent: string;
  let root: string;
  let files: WorkspaceFiles;
  beforeEach(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), "uwf-files-")));
    root = join(parent, "tree");
    mkdirSync(join(root, "dir"), { recursive: true });
    mkdirSync(join(parent, "output"));
    writeFileSync(join(parent, "secret"), "secret");
    writeFileSync(join(parent, "output/long.txt"), "long");
    writeFileSync(join(root, "dir/a.txt"), "a");
    files = workspaceFiles(
      { host: root, names: ["/workspace"] },
      { readOnly: [{ host: join(parent, "output"), names: ["/output"] }], owner: null },
    );
  });
  // What swaps a directory is killed in the middle of a command, which may end a moment later.
  afterEach(() => rmSync(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

  const text = async (path: string): Promise<string> => Buffer.from(await files.read(path)).toString();
  const put = (path: string, content = "new"): Promise<void> => files.write(path, Buffer.from(content));

  it.each(["dir/a.txt", "./dir//a.txt", "dir/../dir/a.txt", "/workspace/dir/a.txt"])(
    "reads %s",
    async (path) => {
      expect(await text(path)).toBe("a");
    },
  );

  it("reads by the host's own path, and no more than asked", async () => {
    expect(await text(join(root, "dir/a.txt"))).toBe("a");
    await put("long", "0123456789");
    expect(Buffer.from(await files.read("long", { maxBytes: 4 })).toString()).toBe("0123");
    expect((await files.read("long", { maxBytes: 40 })).length).toBe(10);
  });

  it("lists no more entries than fit into memory", async () => {
    const few = workspaceFiles({ host: root, names: [] }, { readOnly: [], owner: null, maxEntries: 2 });
    await put("dir/b.txt");

    expect(await few.list("dir")).toHaveLength(2);
    await put("dir/c.txt");
    await expect(few.list("dir")).rejects.toMatchObject({
      code: "directory-too-large",
      message: "dir has more than 2 entries.",
    });
  });

  it("follows links that stay inside, relative or absolute", async () => {
    symlinkSync("../dir", join(root, "dir/up"));
    symlinkSync("/workspace/dir", join(root, "inside"));
    symlinkSync("dir/up/../dir/a.txt", join(root, "way"));

    expect([await text("dir/up/a.txt"), await text("inside/a.txt"), await text("way")]).toEqual([
      "a",
      "a",
      "a",
    ]);
    expect(await files.stat("inside")).toMatchObject({ kind: "directory" });
    await put("inside/b.txt", "b");
    expect(readFileSync(join(root, "dir/b.txt"), "utf8")).toBe("b");
  });

  it.each([
    ["../secret"],
    ["dir/../../secret"],
    ["/etc/passwd"],
    ["/workspace/../secret"],
    ["/workspacex/a"],
    ["abs"],
    ["rel"],
    ["through/secret"],
    ["loop"],
    ["a\0b"],
  ])("refuses %j to read, write and list", async (path) => {
    symlinkSync(join(parent, "secret"), join(root, "abs"));
    symlinkSync("../secret", join(root, "rel"));
    symlinkSync("..", join(root, "through"));
    symlinkSync("loop", join(root, "loop"));

    for (const attempt of [files.read, files.stat, files.list, put])
      await expect(attempt(path)).rejects.toMatchObject({ code: "path-outside", remedy: "fix-input" });
    expect(readFileSync(join(parent, "secret"), "utf8")).toBe("secret");
  });

  it("does not create what a dangling link names outside", async () => {
    symlinkSync("../created", join(root, "dangling"));

    await expect(put("dangling")).rejects.toMatchObject({ code: "path-outside" });
    expect(readdirSync(parent).sort()).toEqual(["output", "secret", "tree"]);
  });

  it("makes folders, replaces in one step and keeps the mode", async () => {
    await put("x/y/z.txt", "1");
    chmodSync(join(root, "x/y/z.txt"), 0o755);
    await put("x/y/z.txt", "2");

    expect(await text("x/y/z.txt")).toBe("2");
    expect(statSync(join(root, "x/y/z.txt")).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, "x/y"))).toEqual(["z.txt"]);
    expect(await files.stat("x/y/z.txt")).toEqual({ name: "z.txt", kind: "file", size: 1, executable: true });
  });

  it("says what is not a file or a directory", async () => {
    await expect(files.read("dir")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(put("dir")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(put(".")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.list("dir/a.txt")).rejects.toMatchObject({ code: "not-a-directory" });
    await expect(put("dir/a.txt/b")).rejects.toMatchObject({ code: "not-a-directory" });
    await expect(files.read("gone")).rejects.toMatchObject({ code: "file-missing" });
    await expect(files.read("gone/deeper")).rejects.toMatchObject({ code: "file-missing" });
    expect(await files.stat("gone")).toBeUndefined();
    expect(await files.stat("gone/deeper")).toBeUndefined();
  });

  it("does not wait for a pipe", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);

    await expect(files.read("pipe")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(put("pipe")).rejects.toMatchObject({ code: "not-a-file" });
    expect(await files.stat("pipe")).toMatchObject({ kind: "other" });
  });

  it("lists a directory with the kinds of its entries", async () => {
    symlinkSync("a.txt", join(root, "dir/link"));
    mkdirSync(join(root, "dir/sub"));

    expect((await files.list("dir")).map(({ name, kind }) => [name, kind])).toEqual([
      ["a.txt", "file"],
      ["link", "symlink"],
      ["sub", "directory"],
    ]);
    expect((await files.list("/workspace")).map(({ name }) => name)).toEqual(["dir"]);
  });

  it("shows kept outputs by their own path, to read alone", async () => {
    expect(await text("/output/long.txt")).toBe("long");
    expect((await files.list("/output")).map(({ name }) => name)).toEqual(["long.txt"]);
    await expect(put("/output/x")).rejects.toMatchObject({ code: "path-outside" });
    await expect(files.read("/output/../secret")).rejects.toMatchObject({ code: "path-outside" });
  });

  it("stays inside while somebody swaps a directory for a link", async () => {
    const swap = execSwapper(join(root, "flip"), parent);
    try {
      const outcomes = new Set<string>();
      for (let i = 0; i < 300; i++)
        outcomes.add(
          await put("flip/secret", "overwritten").then(
            () => "written",
            () => "refused",
          ),
        );
      expect(readFileSync(join(parent, "secret"), "utf8")).toBe("secret");
      expect(outcomes.size).toBeGreaterThan(0);
    } finally {
      swap.stop();
    }
  });
});

/** Makes `path` a directory and a link to `target` in turns, as fast as a shell can. */
const execSwapper = (path: string, target: string): { stop(): void } => {
  const pid = execFileSync("bash", [
    "-c",
    `(while :; do rm -rf '${path}'; mkdir '${path}'; rm -rf '${path}'; ln -s '${target}' '${path}'; done) >/dev/null 2>&1 & echo $!`,
  ]);
  return { stop: () => process.kill(Number(pid.toString())) };
};
