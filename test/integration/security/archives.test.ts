import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createZstdCompress, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decodeBody, encodeBody } from "../../../src/store/body.ts";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type Member, tar } from "../../fixtures/tar.ts";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const SECRET = "secret-4711";

type Unpacked = {
  name: string;
  /** `OUT` is a directory outside of the workspace, with a file `secret`. */
  members: readonly Member[];
  /** Unpacked plainly beside the workspace, it changes what is outside, or has it. */
  escapes?: true;
  /** What is captured besides the archive. */
  kept: readonly string[];
};

const unpacked: readonly Unpacked[] = [
  { name: "an absolute name", members: [{ name: "OUT/new", data: "evil" }], escapes: true, kept: [] },
  { name: "a name that climbs", members: [{ name: "../out/new", data: "evil" }], escapes: true, kept: [] },
  {
    name: "a name that goes down and climbs",
    members: [
      { name: "a/b/../../../out/new", data: "evil" },
      { name: "ok", data: "1" },
    ],
    kept: ["ok"],
  },
  {
    name: "a link to a folder, and a file through it",
    members: [
      { name: "d", type: "link", to: "OUT" },
      { name: "d/new", data: "evil" },
    ],
    escapes: true,
    kept: [],
  },
  {
    name: "a link to a file, and more of it",
    members: [{ name: "f", type: "link", to: "OUT/secret" }],
    kept: [],
  },
  {
    name: "a hard link to a file outside",
    members: [{ name: "f", type: "hard-link", to: "OUT/secret" }],
    escapes: true,
    kept: [],
  },
  {
    name: "a hard link to the system's",
    members: [{ name: "f", type: "hard-link", to: "/etc/hostname" }],
    kept: [],
  },
  {
    name: "links in a circle",
    members: [
      { name: "a", type: "link", to: "b" },
      { name: "b", type: "link", to: "a" },
    ],
    kept: ["a", "b"],
  },
  { name: "a device", members: [{ name: "d", type: "device" }], kept: [] },
  {
    name: "a program with another's rights",
    members: [{ name: "s", data: "#!/bin/sh\n", mode: 0o6755 }],
    kept: ["s"],
  },
  {
    name: "a git directory's parts",
    members: [
      { name: ".git/hooks/post-index-change", data: "#!/bin/sh\ntouch OUT/new\n", mode: 0o755 },
      { name: ".git/config", data: "[core]\n\tfsmonitor = touch OUT/new\n" },
    ],
    kept: [],
  },
  {
    name: "a nested git directory",
    members: [
      { name: "n/.git/config", data: "[core]\n\tfsmonitor = touch OUT/new\n" },
      { name: "n/f", data: "1" },
    ],
    kept: ["n/f"],
  },
  {
    name: "a git directory by another name",
    members: [
      { name: ".GIT/config", data: "x" },
      { name: "git~1/config", data: "x" },
    ],
    kept: [],
  },
  {
    name: "two names that differ in case",
    members: [
      { name: "A", data: "1" },
      { name: "a", data: "2" },
    ],
    kept: ["A", "a"],
  },
  {
    name: "a folder that was a file",
    members: [
      { name: "a.txt", type: "folder", mode: 0o755 },
      { name: "a.txt/b", data: "1" },
    ],
    kept: ["a.txt"],
  },
  {
    name: "an archive in it",
    members: [{ name: "inner.tar", data: tar([{ name: "../x", data: "evil" }]).toString("latin1") }],
    kept: ["inner.tar"],
  },
  {
    name: "a folder that nobody may enter",
    members: [
      { name: "d/f", data: "1" },
      { name: "d", type: "folder", mode: 0o000 },
    ],
    kept: ["d/f"],
  },
];

describe.skipIf(!bubblewrapIsHere())("an archive that a role unpacks", () => {
  let rig: WorkspaceRig;
  let outside: string;
  beforeAll(() => {
    rig = workspaceRig({ "a.txt": "a\n" }, { sandbox: bubblewrapSandbox({ memoryMb: 512, processes: 40 }) });
    outside = join(rig.source.directory, "out");
  });
  afterAll(() => rig.dispose());
  beforeEach(() => {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside, { mode: 0o755 });
    writeFileSync(join(outside, "secret"), SECRET);
  });
  const archive = (members: readonly Member[]): Buffer =>
    tar(
      members.map(({ name, to = "", data = "", ...more }) => ({
        ...more,
        name: name.replaceAll("OUT", outside),
        to: to.replaceAll("OUT", outside),
        data: data.replaceAll("OUT", outside),
      })),
    );
  const hasEscaped = (folder: string): boolean =>
    existsSync(join(outside, "new")) ||
    (lstatSync(join(folder, "f"), { throwIfNoEntry: false })?.isFile() === true &&
      readFileSync(join(folder, "f"), "utf8") === SECRET);

  it.for(unpacked.map((each) => [each.name, each] as const))(
    "with %s reaches nothing outside, and is captured without it",
    async ([, { members, escapes, kept }], context) => {
      countAttempts(context, "archives");
      const { thread, workspace } = await rig.begin();
      const bytes = archive(members);
      await workspace.files.write("x.tar", bytes);
      const signal = new AbortController().signal;
      await workspace.exec({
        command: "tar -xPf x.tar; rm -f x.tar",
        timeoutMs: 20_000,
        maxOutputBytes: 10_000,
        signal,
      });

      const { files } = await rig.store.load("workspace", await rig.capture(thread));
      const contents = files.flatMap(({ content }) => (content === null ? [] : [content]));
      const texts = (await rig.store.loadAll("text", contents)).map(({ text }) => text);

      expect(hasEscaped(workspace.directory)).toBe(false);
      expect(texts.join("\n")).not.toContain(SECRET);
      expect(readFileSync(join(outside, "secret"), "utf8")).toBe(SECRET);
      expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining([...kept]));
      for (const { path } of files)
        expect(kept.some((each) => path === each || path.startsWith(`${each}/`))).toBe(true);
      await rig.workspaces.close(thread);
      if (escapes === undefined) return;
      // Unpacked by a program that is in no sandbox, it does reach it.
      const plain = join(rig.source.directory, "plain");
      mkdirSync(plain, { recursive: true });
      spawnSync("tar", ["-xPf", "-"], { cwd: plain, input: bytes });
      expect(hasEscaped(plain)).toBe(true);
      rmSync(plain, { recursive: true, force: true });
    },
  );

  it.for([
    ["a file of zeros", "head -c 60M /dev/zero | gzip > z.gz; gunzip z.gz", "file-too-large"],
    ["many files of zeros", "for i in $(seq 13); do truncate -s 45M z$i; done", "capture-too-large"],
    ["very many files", "seq 20001 | xargs touch", "capture-too-large"],
  ] as const)("to %s is refused", async ([, command, code], context) => {
    countAttempts(context, "archives");
    const { thread, workspace } = await rig.begin();
    const signal = new AbortController().signal;
    await workspace.exec({ command, timeoutMs: 50_000, maxOutputBytes: 10_000, signal });

    await expect(rig.capture(thread)).rejects.toMatchObject({ code, remedy: "fix-input" });
    await rig.workspaces.close(thread);
  });
});

describe("a packed node", () => {
  const json = JSON.stringify({ text: "x".repeat(100_000) });
  const packed = Buffer.from(encodeBody(json));

  it("is unpacked as it was", () => {
    expect(decodeBody(encodeBody(json))).toBe(json);
  });

  it.for([
    ["cut off", packed.subarray(0, packed.length - 5)],
    ["damaged", Buffer.concat([packed.subarray(0, 4), Buffer.alloc(8, 255), packed.subarray(12)])],
    ["no packed one", Buffer.from("{}")],
    ["empty", Buffer.alloc(0)],
  ] as const)("that is %s is an error", ([, bytes], context) => {
    countAttempts(context, "archives");

    expect(() => JSON.parse(decodeBody(bytes))).toThrow();
  });

  it("that is packed twice is not unpacked twice", (context) => {
    countAttempts(context, "archives");

    expect(() => JSON.parse(decodeBody(zstdCompressSync(packed)))).toThrow();
  });

  it("that unpacks to more than any has is an error", async (context) => {
    countAttempts(context, "archives");
    const piece = Buffer.alloc(1024 * 1024, " ");
    const pieces = Readable.from(
      (function* () {
        for (let i = 0; i < 400; i++) yield piece;
      })(),
    );
    const bomb = await buffer(pieces.pipe(createZstdCompress()));

    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(() => decodeBody(bomb)).toThrow(/larger than/);
  });
});
