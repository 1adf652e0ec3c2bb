import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { searchFiles } from "../../../src/tools/search-files.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

const hasRipgrep = spawnSync("bash", ["-c", "command -v rg"]).status === 0;

const programs = [
  { name: "git grep", programs: ["git", "bash"], there: true },
  { name: "ripgrep", programs: ["git", "bash", "rg"], there: hasRipgrep },
];

describe.each(programs)("search_files with $name", ({ programs, there }) => {
  const search = async (files: Record<string, string | Uint8Array>, args: object) => {
    const bench = await toolBench(files, { programs });
    return bench.use(searchFiles, args);
  };

  it.skipIf(!there)("shows hits in path order under their files", async () => {
    const files = {
      "src/b.ts": "x\nfoo\n",
      "src/a.ts": "foo foo\ny\nfoo\n",
      ".env": "foo=1\n",
      ".git/x": "foo",
    };

    const { text } = await search(files, { pattern: "foo" });

    expect(text).toBe(
      "4 hits in 3 files:\n\n.env\n1\tfoo=1\n\nsrc/a.ts\n1\tfoo foo\n3\tfoo\n\nsrc/b.ts\n2\tfoo",
    );
  });

  it.skipIf(!there)("shows 50 lines around a single hit, which then counts as seen", async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`);

    const answer = await search({ "a.txt": lines.join("\n") }, { pattern: "line 100$" });

    expect(answer.text).toMatch(
      /^1 hit in 1 file:\n\na\.txt \(hit at 100\)\n50\tline 50\n[\s\S]*\n150\tline 150$/,
    );
    expect(Object.keys(answer.seen ?? {})).toEqual(["a.txt"]);
  });

  it.skipIf(!there)("shows 15 lines around two or three, once where they meet", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`);

    const { text } = await search({ "a.txt": lines.join("\n") }, { pattern: "line (20|30|90)$" });

    expect(text).toMatch(/\(hit at 20, 30, 90\)\n5\tline 5\n[\s\S]*\n45\tline 45\n…\n75\tline 75\n/);
    expect(text.match(/^25\t/gm)).toHaveLength(1);
  });

  it.skipIf(!there)("stops at 100 hits and names the total", async () => {
    const { text } = await search(
      { "b.txt": "hit\n".repeat(900), "a.txt": "hit\n".repeat(80) },
      { pattern: "hit" },
    );

    expect(text).toContain("980 hits in 2 files:");
    expect(text.match(/^\d+\thit$/gm)).toHaveLength(100);
    expect(text).toMatch(
      /\n20\thit\n\n\(The first 100 of 980\. Narrow the pattern, path or glob to see others\.\)$/,
    );
  });

  it.skipIf(!there)("cuts long lines around the match", async () => {
    const long = `${"é".repeat(5000)}needle${"z".repeat(5000)}`;
    const four = `${long}\n`.repeat(4);

    const { text } = await search({ "min.js": four }, { pattern: "needle" });

    const [line = ""] = text.match(/^1\t.*$/m) ?? [];
    expect(line.length).toBeLessThanOrEqual(502);
    expect(line).toMatch(/^1\t…é+needlez+…$/);
  });

  it.skipIf(!there)("searches within path and glob, and says when the glob hid all", async () => {
    const files = { "src/a.ts": "foo\n", "src/b.js": "foo\n", "lib/a.ts": "foo\n" };

    const within = await search(files, { pattern: "foo", path: "src", glob: "*.ts" });
    const hidden = await search(files, { pattern: "foo", glob: "*.py" });
    const file = await search(files, { pattern: "foo", path: "lib/a.ts" });

    expect(within.text).toContain("1 hit in 1 file:\n\nsrc/a.ts (hit at 1)");
    expect(hidden.text).toBe(
      "No hits in files that fit the glob *.py. It hides 3 hits in 3 files, e.g. in lib/a.ts.",
    );
    expect(file.text).toContain("lib/a.ts (hit at 1)");
  });

  it.skipIf(!there)("obeys ignore files, says what they hid, and searches what is named", async () => {
    const files = { ".gitignore": "out/\n*.log\n", "out/a.js": "foo\n", "b.log": "foo\n", "c.txt": "bar\n" };

    const all = await search(files, { pattern: "foo" });
    const named = await search(files, { pattern: "foo", path: "out" });

    expect(all.text).toBe(
      'No hits for "foo". Ignore rules hide 2 hits in 2 files, e.g. in b.log; give the file or folder as path to search it.',
    );
    expect(named.text).toContain("out/a.js (hit at 1)");
  });

  it.skipIf(!there)("takes a bad regular expression literally and says so", async () => {
    const { text } = await search({ "a.c": "int main(void {\n" }, { pattern: "main(void" });

    expect(text).toMatch(
      /^Not a regular expression \(.+\): searched for the text as it stands\.\n1 hit in 1 file:/,
    );
  });

  it.skipIf(!there)("tries a text with special characters literally when it finds nothing", async () => {
    const { text } = await search({ "a.js": "call(x);\nfn() {\n" }, { pattern: "fn() {" });

    expect(text).toContain(
      "No hits as a regular expression; these are for the text as it stands.\n1 hit in 1 file",
    );
  });

  it.skipIf(!there)("understands Perl's look-around and character classes", async () => {
    const { text } = await search({ "a.txt": "foo1\nfoobar\n" }, { pattern: "foo(?=\\d)\\w+" });

    expect(text).toContain("a.txt (hit at 1)");
  });

  it.skipIf(!there)("skips binary files, keeps odd names and options apart", async () => {
    const files = { "x.bin": Buffer.from("foo\0bar\n"), "-rf v.txt": "foo\n", "ü/é.txt": "foo\n" };

    const { text } = await search(files, { pattern: "foo" });
    const dashed = await search({ "a.txt": "--version\n" }, { pattern: "--version" });

    expect(text).toMatch(
      /^2 hits in 2 files:\n\n-rf v\.txt \(hit at 1\)\n1\tfoo\n\nü\/é\.txt \(hit at 1\)\n1\tfoo$/,
    );
    expect(dashed.text).toContain("a.txt (hit at 1)");
  });

  it.skipIf(!there)(
    "says plainly that there is nothing, and refuses line ends and missing paths",
    async () => {
      const files = { "src/a.ts": "x\n" };

      expect((await search(files, { pattern: "zzz" })).text).toBe('No hits for "zzz".');
      expect(await search(files, { pattern: "a\\nb" })).toMatchObject({ ok: false });
      expect((await search(files, { pattern: "x", path: "scr" })).text).toContain("Similar names: src");
    },
  );
});
