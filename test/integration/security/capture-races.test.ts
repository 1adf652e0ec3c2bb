import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withDefused } from "../../../src/workspace/defuse.ts";
import { type Begun, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const SECRET = "secret-4711";
const CAPTURES = 40;
/** Puts one thing in another's place, back and forth, as fast as it can. */
const SWAP = `
  const { renameSync } = require("node:fs");
  const { workerData: { place, other } } = require("node:worker_threads");
  for (;;) {
    renameSync(place, place + ".x");
    renameSync(other, place);
    renameSync(place, other);
    renameSync(place + ".x", place);
  }
`;

describe("a tree that changes while it is captured", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  let outside: string;
  let worker: Worker | undefined;
  beforeEach(async () => {
    rig = workspaceRig({ "a.txt": "a\n", "src/b.txt": "b\n", ".gitignore": "*.x\n*.other\n" });
    begun = await rig.begin();
    outside = join(rig.source.directory, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "b.txt"), SECRET);
  });
  afterEach(async () => {
    await worker?.terminate();
    await rig.dispose();
  });

  it.for([
    [
      "a file and a link to a file outside",
      "src/b.txt",
      "ln -s OUTSIDE/b.txt src/b.txt.other; echo changed > src/b.txt",
    ],
    ["a folder and a link to a folder outside", "src", "ln -s OUTSIDE src.other; echo changed > src/b.txt"],
  ] as const)("holds nothing from outside: %s", async ([, place, script], context) => {
    countAttempts(context, "races with a capture", CAPTURES);
    await begun.sh(script.replaceAll("OUTSIDE", outside));
    const full = join(begun.workspace.directory, place);
    worker = new Worker(SWAP, { eval: true, workerData: { place: full, other: `${full}.other` } });

    const read: string[] = [];
    for (let i = 0; i < CAPTURES; i++) {
      const { files } = await rig.store.load("workspace", await rig.capture(begun.thread));
      const contents = files.flatMap(({ content }) => (content === null ? [] : [content]));
      read.push(...(await rig.store.loadAll("text", contents)).map(({ text }) => text));
    }

    expect(read.join("\n")).not.toContain(SECRET);
    expect(read.join("\n")).not.toContain(outside);
    expect(await naively(join(begun.workspace.directory, "src/b.txt"))).toBe(true);
    await worker.terminate();
    await begun.sh("echo new > new.txt");
    expect((await rig.push(begun.thread, await rig.capture(begun.thread))).changed).toBe(true);
  });
});

/** A program in the sandbox that is still there, such as a server of tools, may do so while git is kept from nested repositories. */
describe("a folder with a repository in it that becomes a link to one outside", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "uwf-swapped-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("leaves the one outside as it is", async (context) => {
    countAttempts(context, "races with a capture", 4 * CAPTURES);
    const [tree, outside] = [join(directory, "tree"), join(directory, "outside")];
    for (const each of [join(tree, "src"), outside]) {
      mkdirSync(join(each, ".git"), { recursive: true });
      writeFileSync(join(each, ".git/config"), each);
    }
    symlinkSync(outside, join(tree, "src.other"));
    const place = join(tree, "src");
    const worker = new Worker(SWAP, { eval: true, workerData: { place, other: `${place}.other` } });

    const seen = new Set<string>();
    for (let i = 0; i < 4 * CAPTURES; i++)
      await withDefused(tree, async () => {
        for (const name of await readdir(outside)) seen.add(name);
      });
    await worker.terminate();

    expect([...seen]).toEqual([".git"]);
    expect(await readFile(join(outside, ".git/config"), "utf8")).toBe(outside);
  });
});

/** Whether who looks at a path first and then opens it reads the secret. */
const naively = async (path: string): Promise<boolean> => {
  for (let i = 0; i < 100_000; i++) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile() && (await readFile(path, "utf8").catch(() => "")) === SECRET) return true;
  }
  return false;
};
