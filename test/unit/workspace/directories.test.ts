import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  entriesOf,
  exists,
  isDirectory,
  makeReadable,
  removeTree,
  writeWhole,
} from "../../../src/workspace/directories.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

let temporary: TemporaryDirectory;
let tree: string;
beforeEach(async () => {
  temporary = await temporaryDirectory("uwf-directories-");
  tree = join(temporary.path, "tree");
  await mkdir(tree);
});
afterEach(() => temporary.remove());

/** A directory in itself so often that its path is longer than the system takes. */
const deepen = (): void => {
  const name = "d".repeat(200);
  execFileSync("bash", ["-ec", `for _ in {1..50}; do mkdir ${name}; cd ${name}; done`], { cwd: tree });
};

describe("removeTree", () => {
  it("removes what links stand in, and nothing that they lead to", async () => {
    await mkdir(join(temporary.path, "other"));
    await writeFile(join(temporary.path, "other/kept"), "");
    await symlink("../other", join(tree, "link"));

    await removeTree(tree);

    expect(await readdir(temporary.path)).toEqual(["other"]);
    expect(await readdir(join(temporary.path, "other"))).toEqual(["kept"]);
  });

  it("removes a link itself, and passes over what is not there", async () => {
    await writeFile(join(tree, "kept"), "");
    const link = join(temporary.path, "link");
    await symlink("tree", link);

    await removeTree(link);
    await removeTree(Buffer.from(link));

    expect(await readdir(temporary.path)).toEqual(["tree"]);
    expect(await readdir(tree)).toEqual(["kept"]);
  });

  it("removes directories that may not be changed, and deeper ones than a path can name", async () => {
    deepen();
    await mkdir(join(tree, "closed/inner"), { recursive: true });
    await chmod(join(tree, "closed"), 0o500);

    await removeTree(tree);

    expect(await readdir(temporary.path)).toEqual([]);
  });

  it("fails where something else is the matter", async () => {
    await writeFile(join(tree, "file"), "");

    await expect(removeTree(join(tree, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("a directory that others may read", () => {
  it("is one whatever it was before, with those above it", async () => {
    const path = join(tree, "a/b");
    await makeReadable(path);
    await chmod(path, 0o700);
    await makeReadable(path);

    expect((await stat(path)).mode & 0o777).toBe(0o755);
  });
});

describe("writeWhole", () => {
  it("writes in a new directory, in the place of what was there, and leaves nothing beside it", async () => {
    const path = join(tree, "a/b.json");
    await writeWhole(path, "1");
    await writeWhole(path, "2");

    expect(await readFile(path, "utf8")).toBe("2");
    expect(await readdir(join(tree, "a"))).toEqual(["b.json"]);
  });

  it("leaves what was there when it cannot write", async () => {
    const path = join(tree, "b.json");
    await writeWhole(path, "1");
    await mkdir(`${path}.${process.pid}.new`);

    await expect(writeWhole(path, "2")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readFile(path, "utf8")).toBe("1");
  });
});

describe("what is in a directory", () => {
  it("is nothing where there is none, and no guess where it cannot be told", async () => {
    await writeFile(join(tree, "file"), "");

    expect(await entriesOf(tree)).toEqual(["file"]);
    expect(await entriesOf(join(tree, "gone"))).toEqual([]);
    await expect(entriesOf(join(tree, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it("exists also as a link to nowhere", async () => {
    await symlink("gone", join(tree, "link"));

    expect(await exists(join(tree, "link"))).toBe(true);
    expect(await exists(Buffer.from(join(tree, "gone")))).toBe(false);
    expect((await lstat(join(tree, "link"))).isSymbolicLink()).toBe(true);
    await expect(exists(join(tree, "a".repeat(300)))).rejects.toMatchObject({ code: "ENAMETOOLONG" });
  });

  it("is a directory where it is one itself", async () => {
    await writeFile(join(tree, "file"), "");
    await symlink(".", join(tree, "link"));

    const paths = [tree, join(tree, "file"), join(tree, "link"), join(tree, "gone")];
    expect(await Promise.all(paths.map(isDirectory))).toEqual([true, false, false, false]);
  });
});
