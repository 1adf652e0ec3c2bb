import { describe, expect, it } from "vitest";
import { readFile } from "../../../src/tools/read-file.ts";
import { sha256 } from "../../../src/tools/text-format.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

const read = async (content: string | Uint8Array, args: object = {}, path = "f.txt") => {
  const bench = await toolBench({ [path]: content });
  return bench.use(readFile, { path, ...args });
};

describe("lines", () => {
  it("come numbered, with the end named and the file's hash", async () => {
    const answer = await read("a\nb\n");

    expect(answer).toEqual({
      ok: true,
      text: "1\ta\n2\tb\n\n(End of file, 2 lines.)",
      seen: { "f.txt": sha256(Buffer.from("a\nb\n")) },
    });
  });

  it("come 2,000 at a time, with the next offset", async () => {
    const lines = Array.from({ length: 2500 }, (_, i) => `l${i + 1}`).join("\n");

    const first = await read(lines);
    const second = await read(lines, { offset: 2001 });

    expect(first.text).toMatch(
      /^1\tl1\n[\s\S]*\n2000\tl2000\n\n\(Lines 1-2000 of 2500\. Go on with offset 2001\.\)$/,
    );
    expect(second.text).toMatch(/^2001\tl2001\n[\s\S]*\(Lines 2001-2500 of 2500, end of file\.\)$/);
  });

  it("stop at 50 KiB, whole", async () => {
    const answer = await read(`${"x".repeat(1000)}\n`.repeat(100));

    expect(Buffer.byteLength(answer.text)).toBeLessThan(51_300);
    expect(answer.text).toContain("(Lines 1-51 of 100. Go on with offset 52.)");
  });

  it("of 60 KiB are cut, with the command that shows the rest", async () => {
    const answer = await read(`short\n${"y".repeat(61_440)}\nlast\n`);

    expect(answer.text).toContain(
      "[line cut: 61,440 characters; the next ones with shell_exec: sed -n '2p' f.txt",
    );
    expect(answer.text).toContain("\n3\tlast\n");
  });

  it("are not cut inside a character", async () => {
    const answer = await read(`${"z".repeat(1999)}\u{1F600}${"z".repeat(50)}`);

    expect(answer.text).toContain(`${"z".repeat(1999)}… [line cut`);
    expect(answer.text.isWellFormed()).toBe(true);
  });

  it("past the end are an error that names the total", async () => {
    expect(await read("a\nb\nc\n", { offset: 100 })).toEqual({
      ok: false,
      text: "offset 100 is past the end: f.txt has 3 lines.",
    });
  });
});

describe("what is not plain text", () => {
  it("hides BOM and CRLF and names the latter", async () => {
    expect((await read("\uFEFFa\r\nb\r\n")).text).toBe(
      "1\ta\n2\tb\n\n(End of file, 2 lines. Line ends are CRLF.)",
    );
  });

  it("names mixed line ends and bytes that are no UTF-8", async () => {
    const answer = await read(Buffer.from("a\r\ncaf\xe9\n", "latin1"));

    expect(answer.text).toMatch(/2\tcaf�\n\n.*mixed.*Not valid UTF-8/);
  });

  it("says that a file is empty", async () => {
    expect(await read("")).toMatchObject({ ok: true, text: "f.txt is empty." });
  });

  it("judges by content: an image named .txt", async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

    const answer = await read(png);

    expect(answer.text).toBe("f.txt is not a text file: PNG image, 12 bytes. Its content is not shown.");
    expect(answer.seen).toBeUndefined();
  });

  it("judges by content: text named .png", async () => {
    expect((await read("hello\n", {}, "f.png")).text).toContain("1\thello");
  });

  it("refuses a file with a third of control characters", async () => {
    expect((await read(Buffer.from("\x01\x02\x03\x04abcdef"))).text).toContain("binary data");
  });

  it("does not load a huge file", async () => {
    const answer = await read(Buffer.alloc(11 * 1024 * 1024, "a"));

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("11.0 MiB, too much to load") });
  });
});

describe("paths", () => {
  it("may be absolute inside the workspace, and are one file however they are written", async () => {
    const bench = await toolBench({ "src/a.ts": "x\n" });

    const absolute = await bench.use(readFile, { path: `${bench.workspace.root}/src/a.ts` });
    const winding = await bench.use(readFile, { path: "./src//../src/a.ts" });

    expect(Object.keys(absolute.seen ?? {})).toEqual(["src/a.ts"]);
    expect(winding).toEqual(absolute);
  });

  it.each(["../secret", "/etc/passwd", "a/../../secret"])("outside are refused: %s", async (path) => {
    const bench = await toolBench({});

    const answer = await bench.use(readFile, { path });

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("outside the workspace") });
  });

  it("to folders are answered by what is in them", async () => {
    const bench = await toolBench({ "src/b.ts": "", "src/lib/a.ts": "" });

    expect((await bench.use(readFile, { path: "src" })).text).toBe("src is a folder:\nlib/\nb.ts");
  });

  it("that are missing are answered by similar names, in the folder or elsewhere", async () => {
    const bench = await toolBench({
      "src/tools/reader.ts": "",
      "src/tools/readers.ts": "",
      "lib/deep/only.ts": "",
    });

    const near = await bench.use(readFile, { path: "src/tools/raeder.ts" });
    const moved = await bench.use(readFile, { path: "src/only.ts" });
    const nothing = await bench.use(readFile, { path: "src/zzzzzzzzzz" });

    expect(near.text).toBe(
      "src/tools/raeder.ts does not exist. Similar names: src/tools/reader.ts, src/tools/readers.ts",
    );
    expect(moved.text).toContain("Similar names: lib/deep/only.ts");
    expect(nothing.text).toContain("list_files shows what is there");
  });
});

it("names every argument that does not fit", async () => {
  const answer = await read("a", { offset: 0, limit: "x" });

  expect(answer.ok).toBe(false);
  expect(answer.text).toMatch(/^read_file: the arguments do not fit\.\n- offset: .*\n- limit: /);
});
