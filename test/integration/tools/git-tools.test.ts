import { execFileSync } from "node:child_process";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitDiff } from "../../../src/tools/git-diff.ts";
import { gitLog } from "../../../src/tools/git-log.ts";
import { gitShow } from "../../../src/tools/git-show.ts";
import { type ToolBench, toolBench } from "../../fixtures/tool-context.ts";

const git = (bench: ToolBench, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@example.org", ...args], {
    cwd: bench.workspace.root,
    encoding: "utf8",
  });

const repository = async (files: Record<string, string>, subjects: readonly string[] = ["First"]) => {
  const bench = await toolBench(files);
  git(bench, "init", "-q");
  git(bench, "add", "-A");
  for (const subject of subjects) git(bench, "commit", "-q", "--allow-empty", "-m", subject);
  return bench;
};

describe("git_log", () => {
  it("shows a line per commit, newest first", async () => {
    const bench = await repository({ "a.txt": "a\n" }, ["First", "Second"]);

    const { text } = await bench.use(gitLog, {});

    expect(text).toMatch(
      /^[0-9a-f]{7,} \d{4}-\d\d-\d\d Ann {2}Second\n[0-9a-f]{7,} \d{4}-\d\d-\d\d Ann {2}First$/,
    );
  });

  it("stops at 50 and says how to see more", async () => {
    const bench = await repository({}, []);
    const commits = Array.from(
      { length: 55 },
      (_, i) => `commit refs/heads/main
committer Ann <a@example.org> ${1_700_000_000 + i} +0000
data <<END
Commit ${i + 1}
END
`,
    );
    execFileSync("git", ["fast-import", "--quiet"], { cwd: bench.workspace.root, input: commits.join("\n") });

    const first = await bench.use(gitLog, { ref: "main" });
    const rest = await bench.use(gitLog, { ref: "main", skip: 50 });

    expect(first.text.split("\n")).toHaveLength(51);
    expect(first.text).toMatch(/\n\(There are more: skip 50 shows them\.\)$/);
    expect(rest.text.split("\n")).toHaveLength(5);
  });

  it("answers git's words for an unknown ref, and takes none for an option", async () => {
    const bench = await repository({ "a.txt": "a\n" });

    expect(await bench.use(gitLog, { ref: "nope" })).toMatchObject({
      ok: false,
      text: expect.stringContaining("nope"),
    });
    expect((await bench.use(gitLog, { ref: "--output=stolen" })).ok).toBe(false);
    expect(await readdir(bench.workspace.root)).not.toContain("stolen");
  });

  it("says that there is no commit yet", async () => {
    const bench = await repository({}, []);

    expect((await bench.use(gitLog, {})).text).toContain("does not have any commits yet");
  });
});

describe("git_diff", () => {
  it("shows changed, deleted and new files, and leaves the index and the objects alone", async () => {
    const bench = await repository({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.log\n" });
    const before = git(bench, "count-objects", "-v") + git(bench, "ls-files", "--stage");
    await bench.workspace.put("a.txt", "A\n");
    await bench.workspace.put("new dir/ü.txt", "new\n");
    await bench.workspace.put("x.log", "ignored\n");
    await bench.workspace.exec({
      command: "rm b.txt",
      timeoutMs: 5000,
      maxOutputBytes: 1000,
      signal: bench.context.signal,
    });

    const { text } = await bench.use(gitDiff, {});

    expect(text).toContain("-a\n+A");
    expect(text).toContain("deleted file mode 100644");
    expect(text).toMatch(
      /new file mode 100644\n.*\n--- \/dev\/null\n\+\+\+ b\/new dir\/ü\.txt\t?\n@@ -0,0 \+1 @@\n\+new/,
    );
    expect(text).not.toContain("x.log");
    expect(git(bench, "count-objects", "-v") + git(bench, "ls-files", "--stage")).toBe(before);
  });

  it("shows a file that was changed in the second in which it was checked out, and is as long", async () => {
    const bench = await repository({ "a.txt": "a\n" });
    const [file, index] = ["a.txt", ".git/index"].map((path) => join(bench.workspace.root, path));
    const past = new Date("2026-01-01T00:00:00Z");
    git(bench, "config", "core.checkStat", "minimal");
    await utimes(file ?? "", past, past);
    git(bench, "update-index", "--refresh");
    await utimes(index ?? "", past, past);
    await bench.workspace.put("a.txt", "A\n");
    await utimes(file ?? "", past, past);

    const { text } = await bench.use(gitDiff, {});

    expect(text).toContain("-a\n+A");
  });

  it("narrows to a path, compares with a ref, says when nothing differs", async () => {
    const bench = await repository({ "a.txt": "a\n", "b.txt": "b\n" });
    await bench.workspace.put("a.txt", "A\n");
    await bench.workspace.put("b.txt", "B\n");
    git(bench, "commit", "-q", "-a", "-m", "Second");

    expect((await bench.use(gitDiff, {})).text).toBe("No differences from HEAD.");
    const { text } = await bench.use(gitDiff, { ref: "HEAD~1", path: "b.txt" });
    expect(text).toContain("+B");
    expect(text).not.toContain("+A");
  });

  it("shows the summary first when it is too long, and keeps the whole", async () => {
    const bench = await repository({ "a.txt": "a\n", "z.txt": "z\n" });
    await bench.workspace.put("a.txt", "some line\n".repeat(10_000));
    // Of another size: git may take a file of the same size and the same tick of the clock for unchanged.
    await bench.workspace.put("z.txt", "Zz\n");

    const { text } = await bench.use(gitDiff, {});

    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/^ a\.txt \| +10001 \+[+-]*\n z\.txt \| +2 \+-\n 2 files changed/);
    expect(text).toMatch(/\[… [\d,]+ more lines; the whole is in \/.*\.kept\/1\.txt, or ask/);
    expect(bench.workspace.kept[0]).toContain("+Z");
  });

  it("shows everything as new before the first commit", async () => {
    const bench = await toolBench({ "a.txt": "a\n" });
    git(bench, "init", "-q");

    expect((await bench.use(gitDiff, {})).text).toContain("+++ b/a.txt");
  });

  it("fails plainly outside a repository and for an unknown ref", async () => {
    const bare = await toolBench({ "a.txt": "a\n" });
    const bench = await repository({ "a.txt": "a\n" });

    expect(await bare.use(gitDiff, {})).toMatchObject({
      ok: false,
      text: expect.stringContaining("not a git"),
    });
    expect(await bench.use(gitDiff, { ref: "nope" })).toMatchObject({
      ok: false,
      text: expect.stringContaining("nope"),
    });
  });
});

describe("git_show", () => {
  it("shows a commit with its diff, or a file as it was", async () => {
    const bench = await repository({ "a.txt": "one\n" });
    await bench.workspace.put("a.txt", "two\n");
    git(bench, "commit", "-q", "-a", "-m", "Second");

    const commit = await bench.use(gitShow, { ref: "HEAD" });
    const file = await bench.use(gitShow, { ref: "HEAD~1:a.txt" });

    expect(commit.text).toMatch(/Author: Ann[\s\S]*Second[\s\S]*-one\n\+two$/);
    expect(file.text).toBe("one");
  });

  it("fits long diffs into the bound", async () => {
    const bench = await repository({ "a.txt": "line\n".repeat(20_000), "sub/b.txt": "b\n" });
    const root = join(bench.workspace.root, "sub/b.txt");

    const whole = await bench.use(gitShow, { ref: "HEAD" });
    const narrowed = await bench.use(gitShow, { ref: "HEAD", path: root });

    expect(whole.text.length).toBeLessThanOrEqual(30_000);
    expect(whole.text).toContain("2 files changed");
    expect(narrowed.text).toMatch(/\+b$/);
  });
});
