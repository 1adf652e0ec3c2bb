import { describe, expect, it } from "vitest";
import { patchFile } from "../../../src/tools/patch-file.ts";
import { readFile } from "../../../src/tools/read-file.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

type Case = { file: string; old: string; next: string; all?: boolean; read?: boolean };

/** Patches a file that was read first; answers what the model is told and what the file has then. */
const patched = async ({ file, old, next, all, read }: Case) => {
  const bench = await toolBench({ "f.txt": file });
  if (read !== false) await bench.use(readFile, { path: "f.txt" });
  const args = { path: "f.txt", old_text: old, new_text: next, ...(all ? { replace_all: true } : {}) };
  const answer = await bench.use(patchFile, args);
  return { ...answer, file: await bench.workspace.text("f.txt"), bench };
};

describe("an exact match", () => {
  it("is replaced, and the answer is the numbered diff", async () => {
    const result = await patched({ file: "a\nb\nc\n", old: "b", next: "B" });

    expect(result.file).toBe("a\nB\nc\n");
    expect(result.text).toBe("Patched f.txt (+1 -1 lines).\n 1\ta\n-2\tb\n+2\tB\n 3\tc");
  });

  it("that stands twice is refused with both lines", async () => {
    const result = await patched({ file: "x\na\nx\n", old: "x", next: "y" });

    expect(result).toMatchObject({
      ok: false,
      file: "x\na\nx\n",
      text: expect.stringContaining("lines 1, 3"),
    });
  });

  it("is replaced everywhere with replace_all", async () => {
    const result = await patched({ file: "x\na\nx\n", old: "x", next: "y", all: true });

    expect(result).toMatchObject({ ok: true, file: "y\na\ny\n", text: expect.stringContaining("2 places") });
  });

  it("decides even when a looser one would hit elsewhere", async () => {
    const result = await patched({ file: 'say \u201Chi\u201D\nsay "hi"\n', old: 'say "hi"', next: "bye" });

    expect(result).toMatchObject({ ok: true, file: "say \u201Chi\u201D\nbye\n" });
  });

  it("takes new_text literally", async () => {
    const result = await patched({ file: "a b c", old: "b", next: "$& $1 $` $'" });

    expect(result.file).toBe("a $& $1 $` $' c");
  });

  it("adds no final line end", async () => {
    expect((await patched({ file: "a\nb", old: "b", next: "c" })).file).toBe("a\nc");
    expect((await patched({ file: "a\nb", old: "b\n", next: "c\n" })).file).toBe("a\nc");
  });
});

describe("the file's format", () => {
  it("keeps CRLF", async () => {
    const result = await patched({ file: "a\r\nb\r\nc\r\n", old: "a\nb", next: "a\nx\nb2" });

    expect(result.file).toBe("a\r\nx\r\nb2\r\nc\r\n");
  });

  it("keeps mixed line ends where nothing changes", async () => {
    const result = await patched({ file: "a\r\nb\nc\nd\r\n", old: "b\nc", next: "b\nC" });

    expect(result.file).toBe("a\r\nb\nC\nd\r\n");
  });

  it("keeps the BOM", async () => {
    const result = await patched({ file: "\uFEFFa\nb\n", old: "a\nb", next: "c" });

    expect(result.file).toBe("\uFEFFc\n");
  });

  it("keeps bytes that are not UTF-8", async () => {
    const bench = await toolBench({ "f.txt": Buffer.from("caf\xe9\nplain\n", "latin1") });

    const answer = await bench.use(patchFile, { path: "f.txt", old_text: "plain", new_text: "pläin" });

    expect(answer.ok).toBe(true);
    const bytes = Buffer.concat([Buffer.from("caf\xe9\n", "latin1"), Buffer.from("pläin\n")]);
    expect(await bench.workspace.files.read("f.txt")).toEqual(bytes);
  });
});

describe("a loose match", () => {
  it("ignores spaces that end lines and leaves the others as they are", async () => {
    const result = await patched({
      file: "if a:  \n  b\t\nend  \n",
      old: "if a:\n  b\n",
      next: "if a:\n  c\n",
    });

    expect(result).toMatchObject({
      ok: true,
      file: "if a:  \n  c\nend  \n",
      text: expect.stringContaining("tier 3"),
    });
  });

  it("folds quotes, and keeps those that it does not change", async () => {
    const file = "\u201Cone\u201D and \u2018two\u2019\n\u201Cthree\u201D\n";
    const result = await patched({ file, old: "\"one\" and 'two'", next: "\"one\" or 'two'" });

    expect(result.file).toBe("\u201Cone\u201D or \u2018two\u2019\n\u201Cthree\u201D\n");
    expect(result.text).toContain("tier 4");
  });

  it("folds dashes and no-break spaces", async () => {
    const result = await patched({ file: "a\u00A0\u2014\u00A0b\n", old: "a - b", next: "gone" });

    expect(result.file).toBe("gone\n");
  });

  it("is refused when folding makes two", async () => {
    const result = await patched({ file: "\u201Ca\u201D\n\u201Ea\u201D\n", old: '"a"', next: "b" });

    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("lines 1, 2") });
  });

  it("re-indents when the indentation is missing evenly", async () => {
    const file = "class A:\n    def f(self):\n        return 1\n";
    const old = "def f(self):\n    return 1";
    const result = await patched({
      file,
      old,
      next: "def f(self):\n    if x:\n        return 2\n\n    return 1",
    });

    expect(result.file).toBe(
      "class A:\n    def f(self):\n        if x:\n            return 2\n\n        return 1\n",
    );
    expect(result.text).toContain("tier 5");
  });

  it("takes surplus indentation away", async () => {
    const result = await patched({
      file: "a {\n  b\n}\n",
      old: "  a {\n    b\n  }",
      next: "  a {\n    c\n  }",
    });

    expect(result.file).toBe("a {\n  c\n}\n");
  });

  it("is refused when the indentation differs unevenly", async () => {
    const file = "  a\n    b\n";
    const result = await patched({ file, old: "a\n   b", next: "x\ny" });

    expect(result).toMatchObject({
      ok: false,
      file,
      text: expect.stringContaining("First difference, line 2"),
    });
  });

  it("is refused between tabs and spaces, and the answer shows them", async () => {
    const result = await patched({
      file: "f() {\n\ta();\n\tb();\n}\n",
      old: "f() {\n    a();\n\tb();",
      next: "x",
    });

    expect(result.ok).toBe(false);
    expect(result.text).toContain('the file has "\\ta();", old_text has "    a();"');
    expect(result.text).toContain("1 tab in the file, with 4 spaces in old_text");
  });

  it("drops a leading blank line that both texts have", async () => {
    const result = await patched({ file: "one\ntwo\n", old: "\none\ntwo\n", next: "\none\n2\n" });

    expect(result.file).toBe("one\n2\n");
  });

  it("takes line numbers off", async () => {
    const result = await patched({ file: "a\nb\nc\n", old: "1\ta\n2\tb\n", next: "1\ta\n2\tB\n" });

    expect(result).toMatchObject({ file: "a\nB\nc\n", text: expect.stringContaining("tier 2") });
  });

  it("unescapes a text that was escaped twice", async () => {
    const result = await patched({
      file: 'log("a");\nend();\n',
      old: 'log(\\"a\\");\\nend();',
      next: 'log(\\"b\\\\n\\");\\nend();',
    });

    expect(result).toMatchObject({ file: 'log("b\\n");\nend();\n', text: expect.stringContaining("tier 6") });
  });

  it("may be repeated by replace_all up to tier 4 only", async () => {
    const trailing = await patched({ file: "a  \nb\na \nb\n", old: "a\nb", next: "c", all: true });
    const indented = await patched({ file: "  a\n  b\n  a\n  b\n", old: "a\nb", next: "c\nd", all: true });

    expect(trailing).toMatchObject({ ok: true, file: "c\nc\n" });
    expect(indented).toMatchObject({ ok: false, text: expect.stringContaining("lines 1, 3") });
  });
});

describe("no match", () => {
  it("says that the change is already there", async () => {
    const result = await patched({
      file: "const limit = 20;\n",
      old: "const limit = 10;",
      next: "const limit = 20;",
    });

    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("already applied") });
  });

  it("is not made up from matching first and last lines", async () => {
    const file = "begin\n  real work\nend\n";
    const result = await patched({ file, old: "begin\n  other thing\nend", next: "x" });

    expect(result).toMatchObject({ ok: false, file });
    expect(result.text).toContain("Nearest, lines 1-3");
    expect(result.text).toContain('First difference, line 2: the file has "  real work"');
  });

  it("shows the place with 40 lines to each side after the second failure", async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`);
    const { bench } = await patched({ file: lines.join("\n"), old: "line 100\nnot here", next: "x" });

    const second = await bench.use(patchFile, { path: "f.txt", old_text: "line 100\nnope", new_text: "x" });

    expect(second.text).toContain("Lines 60-140 as they are now:\n60\tline 60\n");
    expect(second.seen).toHaveProperty(["f.txt"]);
  });

  it.each([
    ["an empty old_text", { old: "", next: "x" }, "old_text is empty"],
    ["the same text twice", { old: "a", next: "a" }, "are the same"],
    ["a placeholder", { old: "a", next: "b\n// ... rest of the code unchanged ...\n" }, "code left out"],
  ])("refuses %s", async (_, change, reason) => {
    const result = await patched({ file: "a\n", ...change });

    expect(result).toMatchObject({ ok: false, file: "a\n", text: expect.stringContaining(reason) });
  });

  it("names files like the one that is missing", async () => {
    const bench = await toolBench({ "src/app.ts": "", "src/apps.ts": "" });

    const answer = await bench.use(patchFile, { path: "src/ap.ts", old_text: "a", new_text: "b" });

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("src/app.ts, src/apps.ts") });
  });
});

describe("a file that changed since it was read", () => {
  const changed = async (old: string) => {
    const bench = await toolBench({ "f.txt": "a\nb\n" });
    await bench.use(readFile, { path: "f.txt" });
    await bench.workspace.put("f.txt", "a\nb  \nnew\n");
    const answer = await bench.use(patchFile, { path: "f.txt", old_text: old, new_text: "B" });
    return { answer, file: await bench.workspace.text("f.txt") };
  };

  it("is patched where the text matches exactly, with a note", async () => {
    const { answer, file } = await changed("new");

    expect(file).toBe("a\nb  \nB\n");
    expect(answer).toMatchObject({
      ok: true,
      text: expect.stringContaining("had changed since you read it"),
    });
    expect(answer.seen).toBeUndefined();
  });

  it("is not patched where it matches loosely", async () => {
    const { answer, file } = await changed("b\nnew");

    expect(file).toBe("a\nb  \nnew\n");
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("Read the file again") });
  });

  it("that was never read likewise", async () => {
    const loose = await patched({ file: "a  \nb\n", old: "a\nb", next: "c", read: false });

    expect(loose).toMatchObject({ ok: false, text: expect.stringContaining("have not read the file yet") });
  });
});

describe("the syntax gate", () => {
  const report = async (path: string, before: string, [old, next]: [string, string]) => {
    const bench = await toolBench({ [path]: before });
    return (await bench.use(patchFile, { path, old_text: old, new_text: next })).text;
  };

  it.each([
    ["a.ts", "const a: number = 1;\nlet b;\n", "1;", "(1;", "line 1"],
    ["a.json", '{"a": 1}', "1", "1,", "JSON"],
    ["a.yaml", "a: 1\nb: 2\n", "b: 2", "b: [2", "line"],
  ])("tells of a new error in %s", async (path, before, old, next, problem) => {
    const text = await report(path, before, [old, next]);

    expect(text).toContain("New syntax error:");
    expect(text.split("New syntax error:")[1]).toContain(problem);
  });

  it("is silent when the file did not parse before, and when it still parses", async () => {
    expect(await report("a.json", "{,}", ["{", "{{"])).not.toContain("syntax");
    expect(await report("a.ts", "enum A { B }", ["B", "C"])).not.toContain("syntax");
  });
});

describe("texts that were made to take long", () => {
  it("are replaced everywhere on one line", async () => {
    const result = await patched({ file: "a".repeat(200_000), old: "a", next: "b", all: true });

    expect(result.ok).toBe(true);
    expect(result.file).toBe("b".repeat(200_000));
  });

  it("are refused when too many places resemble what is looked for", async () => {
    const file = " a\n".repeat(300_000);
    const result = await patched({ file, old: `${"a\n".repeat(150_000)}b\n`, next: "c" });

    expect(result).toMatchObject({
      ok: false,
      text: expect.stringMatching(/too many places .* Nothing was changed/),
    });
  });

  it("are not made larger than a file that can be read", async () => {
    const result = await patched({ file: "a".repeat(100_000), old: "a", next: "b".repeat(1_000), all: true });

    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("too large") });
  });

  it("are searched in a time that grows with them", async () => {
    const [file, half] = ["a".repeat(1_500_000), "a".repeat(50_000)];
    const result = await patched({ file: `${file}b${half}`, old: `${half}b${half}`, next: "c" });

    expect(result).toMatchObject({ ok: true, file: `${file.slice(50_000)}c` });
  });

  it("keeps the last line's end where a change stands behind it", async () => {
    const result = await patched({ file: "a\r\nb\r\nc", old: "c", next: "c\nd" });

    expect(result.file).toBe("a\r\nb\r\nc\r\nd");
  });
});
