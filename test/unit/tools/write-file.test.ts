import { describe, expect, it } from "vitest";
import { readFile } from "../../../src/tools/read-file.ts";
import { writeFile } from "../../../src/tools/write-file.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

describe("a new file", () => {
  it("is written with its folders and counts as seen", async () => {
    const bench = await toolBench({});

    const created = await bench.use(writeFile, { path: "src/new/a.ts", content: "one\ntwo\n" });
    const again = await bench.use(writeFile, { path: "src/new/a.ts", content: "one\n2\nthree\n" });

    expect(created.text).toBe("Created src/new/a.ts (+2 lines).");
    expect(again.text).toBe("Replaced src/new/a.ts (+2 -1 lines).");
    expect(await bench.workspace.text("src/new/a.ts")).toBe("one\n2\nthree\n");
  });
});

describe("an existing file", () => {
  it("must have been read", async () => {
    const bench = await toolBench({ "a.txt": "old\n" });

    const answer = await bench.use(writeFile, { path: "a.txt", content: "new\n" });

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("Read it first") });
    expect(await bench.workspace.text("a.txt")).toBe("old\n");
  });

  it("must not have changed since", async () => {
    const bench = await toolBench({ "a.txt": "old\n" });
    await bench.use(readFile, { path: "a.txt" });
    await bench.workspace.put("a.txt", "somebody else's\n");

    const answer = await bench.use(writeFile, { path: "a.txt", content: "new\n" });

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("has changed since") });
  });

  it("keeps its BOM and line ends", async () => {
    const bench = await toolBench({ "a.txt": "\uFEFFa\r\nb\r\n" });
    await bench.use(readFile, { path: "a.txt" });

    const answer = await bench.use(writeFile, { path: "a.txt", content: "a\nc\n" });

    expect(await bench.workspace.text("a.txt")).toBe("\uFEFFa\r\nc\r\n");
    expect(answer.text).toBe("Replaced a.txt (+1 -1 lines).");
  });

  it("that has the content already is left alone, and that is said", async () => {
    const bench = await toolBench({ "a.txt": "same\r\n" });

    const answer = await bench.use(writeFile, { path: "a.txt", content: "same\n" });

    expect(answer).toMatchObject({
      ok: true,
      text: "a.txt has exactly this content already; nothing to do.",
    });
  });

  it("that no longer parses is told of", async () => {
    const bench = await toolBench({ "a.json": "{}" });
    await bench.use(readFile, { path: "a.json" });

    const answer = await bench.use(writeFile, { path: "a.json", content: "{" });

    expect(answer.text).toContain("New syntax error:");
  });

  it("is not a folder", async () => {
    const bench = await toolBench({ "src/a.ts": "" });

    expect(await bench.use(writeFile, { path: "src", content: "x" })).toMatchObject({ ok: false });
  });
});

describe("placeholders for code left out", () => {
  const write = async (content: string, before = "x\n") => {
    const bench = await toolBench({ "a.ts": before });
    await bench.use(readFile, { path: "a.ts" });
    return bench.use(writeFile, { path: "a.ts", content });
  };

  it.each([
    "// ... rest of the code unchanged ...",
    "  # ... existing code ...",
    "/* … remaining methods unchanged … */",
    "<!-- rest of the file remains unchanged -->",
    "{/* ... existing JSX ... */}",
    "... (rest of file)",
    "// rest of code...",
    "# ... (existing imports)",
    "-- ... same as before ...",
    "// [previous functions remain ...]",
  ])("are refused: %s", async (line) => {
    expect(await write(`a\n${line}\nb\n`)).toMatchObject({
      ok: false,
      text: expect.stringContaining(line.trim()),
    });
  });

  it.each([
    "// the rest parameter collects what remains",
    "const [first, ...rest] = list;",
    "  ...existing,",
    "# Keep the existing file when it is unchanged.",
    "fn(...remaining);",
    "# Checking existing files...",
    "// ... otherwise keep the existing value.",
    "// The rest is handled below.",
  ])("are not seen in: %s", async (line) => {
    expect(await write(`a\n${line}\nb\n`)).toMatchObject({ ok: true });
  });

  it("stay where they were before", async () => {
    expect(await write("// ... existing code ...\nb\n", "// ... existing code ...\na\n")).toMatchObject({
      ok: true,
    });
  });
});
