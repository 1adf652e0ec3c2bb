import { expect, it } from "vitest";
import { listFiles } from "../../../src/tools/list-files.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

it("lists two levels, folders first, without .git", async () => {
  const bench = await toolBench({
    "b.txt": "",
    "src/z.ts": "",
    "src/lib/deep/x.ts": "",
    ".git/config": "",
    ".env": "",
  });

  const answer = await bench.use(listFiles, {});

  expect(answer.text).toBe("src/\n  lib/\n  z.ts\n.env\nb.txt");
});

it("goes as deep as asked, below the folder asked for", async () => {
  const bench = await toolBench({ "src/lib/deep/x.ts": "", "other.ts": "" });

  const answer = await bench.use(listFiles, { path: "src", depth: 3 });

  expect(answer.text).toBe("lib/\n  deep/\n    x.ts");
});

it("shows at most 200 entries, the upper ones first, and counts the rest", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`big/f${i}`, ""]));
  const bench = await toolBench({ ...many, "small/a": "", "z.txt": "" });

  const { text } = await bench.use(listFiles, {});

  expect(text).toContain("\nsmall/\n  a\nz.txt");
  expect(text).toMatch(/\n {2}… 402 more\n/);
  expect(text.split("\n").length).toBeLessThanOrEqual(201);
});

it("says that a folder is empty, a file is a file, and what is like a missing one", async () => {
  const bench = await toolBench({ "src/a.ts": "" });

  expect((await bench.use(listFiles, { path: "src/a.ts" })).text).toContain("is a file, not a folder");
  expect((await bench.use(listFiles, { path: "scr" })).text).toContain("Similar names: src");
  expect((await (await toolBench({})).use(listFiles, {})).text).toBe("The workspace is empty.");
});
