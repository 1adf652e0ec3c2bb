import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defuse } from "../../../src/workspace/defuse.ts";
import { engineGit } from "../../../src/workspace/engine-git.ts";
import type { ThreadPlace } from "../../../src/workspace/layout.ts";
import { linkedFolders, removeLinkedFolders } from "../../../src/workspace/linked-folders.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

const git = engineGit({ env: process.env });
const FILES = ["top.txt", "a/one.txt", "a/b/two.txt", "a/b/c/three.txt", "ab/four.txt"];

describe("links in folders' places", () => {
  let temporary: TemporaryDirectory;
  let place: ThreadPlace;
  beforeEach(async () => {
    temporary = await temporaryDirectory("uwf-links-");
    const at = (name: string) => join(temporary.path, name);
    const [directory, tree] = [temporary.path, at("tree")];
    const others = {
      output: at("output"),
      home: at("home"),
      network: at("network"),
      state: at("state.json"),
    };
    place = { directory, tree, git: join(tree, ".git"), ...others };
    for (const file of FILES) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), file);
    }
    execFileSync("git", ["init", "--quiet", tree]);
    execFileSync("git", ["-C", tree, "add", "."]);
  });
  afterEach(() => temporary.remove());

  const found = async () => ({ git, links: (await defuse(place.tree)).links });
  const moveAway = (folder: string): void => {
    renameSync(join(place.tree, folder), join(place.tree, "moved"));
    symlinkSync(join(place.tree, "moved"), join(place.tree, folder));
  };

  it("are none where folders are folders, whatever other links there are", async () => {
    expect(await linkedFolders(place, await found())).toEqual([]);
    symlinkSync("a", join(place.tree, "link"));
    symlinkSync("../b", join(place.tree, "a/b/link"));

    expect(await linkedFolders(place, await found())).toEqual([]);
  });

  it("are found with every path that the index has below them", async () => {
    moveAway("a");

    expect(await linkedFolders(place, await found())).toEqual([
      { link: "a", paths: ["a/b/c/three.txt", "a/b/two.txt", "a/one.txt"] },
    ]);
  });

  it("are found in deeper folders, byte for byte", async () => {
    moveAway("a/b");
    mkdirSync(join(place.tree, "é"));
    writeFileSync(join(place.tree, "é/five.txt"), "");
    execFileSync("git", ["-C", place.tree, "add", "é"]);
    execFileSync("rm", ["-r", join(place.tree, "é")]);
    symlinkSync("a", join(place.tree, "é"));
    const bytes = Buffer.from("é").toString("latin1");

    expect(await linkedFolders(place, await found())).toEqual([
      { link: "a/b", paths: ["a/b/c/three.txt", "a/b/two.txt"] },
      { link: bytes, paths: [`${bytes}/five.txt`] },
    ]);
    await removeLinkedFolders(place, await found());
    expect(await linkedFolders(place, await found())).toEqual([]);
  });

  it("are removed, and nothing that they lead to", async () => {
    moveAway("ab");
    symlinkSync("top.txt", join(place.tree, "stays"));

    await removeLinkedFolders(place, await found());

    expect(existsSync(join(place.tree, "ab"))).toBe(false);
    expect(existsSync(join(place.tree, "moved/four.txt"))).toBe(true);
    expect(lstatSync(join(place.tree, "stays")).isSymbolicLink()).toBe(true);
  });
});
