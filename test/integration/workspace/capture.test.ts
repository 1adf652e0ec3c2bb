import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Payload } from "../../../src/store/payload.ts";
import { gitWorkspaces } from "../../../src/workspace/git-workspaces.ts";
import { noSandbox } from "../../../src/workspace/sandbox/no-sandbox.ts";
import { type Begun, captureOf, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

const FILES = {
  "README.md": "# Sum\n",
  "src/sum.js": "module.exports = (a, b) => a - b;\n",
  "src/dos.bat": "@echo off\r\necho 1\r\n",
  "run.sh": { program: "#!/bin/sh\n" },
  "docs/link": { link: "../README.md" },
  ".gitignore": "node_modules/\n*.log\n",
};

describe("capture", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  beforeEach(async () => {
    rig = workspaceRig(FILES);
    rig.source.commit({ ".gitattributes": "* text=auto eol=lf\n*.bat text eol=crlf\n" });
    begun = await rig.begin();
  });
  afterEach(() => rig.dispose());

  const capture = async (): Promise<Payload<"workspace">> =>
    rig.store.load("workspace", await rig.capture(begun.thread));
  const paths = async (): Promise<string[]> => (await capture()).files.map(({ path }) => path);
  const contentOf = async (path: string): Promise<Payload<"text"> | null | undefined> => {
    const file = (await capture()).files.find((each) => each.path === path);
    if (file === undefined) return undefined;
    return file.content === null ? null : rig.store.load("text", file.content);
  };

  it("finds nothing in an untouched workspace and answers the base's tree", async () => {
    const captured = await capture();

    expect(captured).toEqual({
      repository: rig.source.repository,
      base: begun.base,
      tree: rig.source.git("rev-parse", "HEAD^{tree}"),
      files: [],
    });
  });

  it("keeps changed, new and removed files, sorted, with their modes", async () => {
    await begun.sh(
      "echo new > b.txt; echo more >> README.md; rm src/sum.js; chmod +x b.txt; chmod -x run.sh",
    );

    const { files } = await capture();

    expect(files.map(({ path, mode }) => [path, mode])).toEqual([
      ["README.md", "100644"],
      ["b.txt", "100755"],
      ["run.sh", "100644"],
      ["src/sum.js", null],
    ]);
    expect(await contentOf("README.md")).toEqual({ encoding: "utf8", text: "# Sum\nmore\n" });
  });

  it("makes the tree that git itself would make of the same files", async () => {
    await begun.sh("mkdir -p a/b; echo 1 > a/b/c; echo 2 > 'with space'; rm -r docs; echo x > docs");
    const { tree } = await capture();

    rig.source.commit({ "a/b/c": "1\n", "with space": "2\n", "docs/link": null });
    rig.source.commit({ docs: "x\n" });

    expect(tree).toBe(rig.source.git("rev-parse", "HEAD^{tree}"));
  });

  it("takes files byte for byte whatever the repository's attributes say", async () => {
    await begun.sh("printf 'a\\r\\nb\\n' > src/mixed.bat; printf 'one\\r\\ntwo\\r\\n' > notes.txt");

    expect(await contentOf("src/mixed.bat")).toEqual({ encoding: "utf8", text: "a\r\nb\n" });
    expect(await contentOf("notes.txt")).toEqual({ encoding: "utf8", text: "one\r\ntwo\r\n" });
    expect((await begun.sh("od -c src/dos.bat | head -2")).output).toContain("\\r");
    expect(await paths()).toEqual(["notes.txt", "src/mixed.bat"]);
  });

  it("keeps binary files and text with NUL as base64", async () => {
    await begun.sh(
      "printf '\\377\\376\\000' > image.bin; printf 'a\\000b' > nul.txt; printf '\\357\\273\\277x' > bom.txt",
    );

    expect(await contentOf("image.bin")).toEqual({ encoding: "base64", text: "//4A" });
    expect(await contentOf("nul.txt")).toEqual({ encoding: "base64", text: "YQBi" });
    expect(await contentOf("bom.txt")).toEqual({ encoding: "utf8", text: "\ufeffx" });
  });

  it("takes a directory that became a link for removed files and a link", async () => {
    await begun.sh(
      "mkdir other; echo 1 > other/sum.js; rm -r src; ln -s other src; rm run.sh; mkdir run.sh; echo 2 > run.sh/x",
    );

    const { files } = await capture();

    expect(files.map(({ path, mode }) => [path, mode])).toEqual([
      ["other/sum.js", "100644"],
      ["run.sh", null],
      ["run.sh/x", "100644"],
      ["src", "120000"],
      ["src/dos.bat", null],
      ["src/sum.js", null],
    ]);
  });

  it("leaves submodules as they are in the base", async () => {
    rig.source.git("update-index", "--add", "--cacheinfo", `160000,${begun.base},vendor`);
    rig.source.git("commit", "--quiet", "--message", "Add a submodule");
    const next = await rig.begin();

    await next.sh(
      "cd vendor && git init -q && echo 1 > x && git add x && git commit -qm x; echo 1 > ../new.txt",
    );
    const { files } = await rig.store.load("workspace", await rig.capture(next.thread));
    await rig.workspaces.close(next.thread);
    const after = await rig.begin();

    expect(files.map(({ path }) => path)).toEqual(["new.txt"]);
    expect((await after.sh("ls -A vendor; git status --short")).output).toBe("");
  });

  it("shows roles the same bytes in their own git", async () => {
    expect((await begun.sh("touch src/dos.bat; git status --short; git diff")).output).toBe("");
  });

  it("leaves ignored files out", async () => {
    await begun.sh(
      "mkdir -p node_modules/x; echo 1 > node_modules/x/y; echo 1 > debug.log; echo 1 > kept.txt",
    );

    expect(await paths()).toEqual(["kept.txt"]);
  });

  it("answers the same hash for the same files, whatever happened in between", async () => {
    await begun.sh("echo 1 > a.txt");
    const first = await rig.capture(begun.thread);
    await begun.sh("echo 2 > a.txt; echo 3 > b.txt; touch README.md");
    const second = await rig.capture(begun.thread);
    await begun.sh("rm b.txt a.txt; echo 1 > a.txt");

    expect(second).not.toBe(first);
    expect(await rig.capture(begun.thread)).toBe(first);
  });

  it("notices a change of the same size that has the old time", async () => {
    await begun.sh(
      "touch -r README.md stamp; printf '# Mus\\n' > README.md; touch -r stamp README.md; rm stamp",
    );

    expect(await paths()).toEqual(["README.md"]);
  });

  it("keeps links that stay inside and leaves out those that lead elsewhere", async () => {
    await begun.sh(
      "ln -s ../README.md src/ok; ln -s /etc/passwd absolute; ln -s ../../out src/out; ln -s a/../../x up",
    );

    const { files } = await capture();

    expect(files).toMatchObject([{ path: "src/ok", mode: "120000" }]);
    expect(await contentOf("src/ok")).toEqual({ encoding: "utf8", text: "../README.md" });
    const left = rig.warnings.map(({ fields }) => ("path" in fields ? fields.path : undefined));
    expect(new Set(left)).toEqual(new Set(["absolute", "src/out", "up"]));
  });

  it("takes the files of a repository inside the tree as files, without its git directory", async () => {
    await begun.sh(
      "mkdir -p sub/deep; cd sub; git init -q; echo 1 > deep/a; echo 1 > b.log; mkdir x; cd x; git init -q; echo 2 > c",
    );

    expect(await paths()).toEqual(["sub/deep/a", "sub/x/c"]);
  });

  it("leaves out names that some file system takes for .git", async () => {
    await begun.sh(
      "mkdir -p a/.GIT b/.git. c/git~1; echo 1 > a/.GIT/config; echo 1 > b/.git./x; echo 1 > c/git~1/x; echo 1 > ok",
    );

    expect(await paths()).toEqual(["ok"]);
    expect(rig.warnings).toHaveLength(3);
  });

  it("skips pipes and sockets, and names with line breaks are kept", async () => {
    await begun.sh("mkfifo pipe; rm README.md; mkfifo README.md; echo 1 > $'two\\nlines'");

    const { files } = await capture();

    expect(files).toMatchObject([{ path: "two\nlines", mode: "100644" }]);
    expect(rig.warnings[0]).toMatchObject({ fields: { path: "README.md" } });
  });

  it("leaves out a name that is not UTF-8 and says so", async () => {
    await begun.sh("echo 1 > $'\\xff.txt'; echo 1 > ok.txt");

    expect(await paths()).toEqual(["ok.txt"]);
    expect(rig.warnings[0]?.message).toContain("not UTF-8");
  });

  it("refuses a file that is too big, by name", async () => {
    await begun.sh("truncate -s 51M big.bin");

    await expect(rig.capture(begun.thread)).rejects.toMatchObject({
      code: "file-too-large",
      remedy: "fix-input",
      message: expect.stringContaining("big.bin"),
    });
  });

  it("refuses a thread whose workspace is not here", async () => {
    await rig.workspaces.close(begun.thread);

    await expect(rig.capture(begun.thread)).rejects.toMatchObject({ code: "workspace-missing" });
  });
});

describe("a further capture", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  beforeEach(async () => {
    rig = workspaceRig(FILES);
    begun = await rig.begin();
  });
  afterEach(() => rig.dispose());

  /** What a process finds that remembers nothing. */
  const afresh = () =>
    gitWorkspaces({
      root: rig.root,
      store: rig.store,
      sandbox: noSandbox(),
      log: silentLog,
      env: process.env,
    });

  it("finds what one finds that remembers nothing, whatever was done in between", async () => {
    const scripts = [
      "echo 1 > a.txt; echo 2 > src/new",
      "touch a.txt src/sum.js",
      "echo 2 > a.txt; chmod +x src/new",
      "rm a.txt; mkdir a.txt; mv src/new a.txt/moved",
      "rm -r a.txt; git stash -qu; git init -q nested; echo 3 > nested/file",
      "echo nested > .gitignore",
      "rm .gitignore; rm -r nested; git checkout -q .",
    ];
    for (const script of scripts) {
      await begun.sh(script);

      expect(await rig.capture(begun.thread), script).toBe(await captureOf(afresh(), begun.thread));
    }
  });

  it("finds a change of the same size and time in a file that has been there for long", async () => {
    const { sh, thread } = begun;
    await sh("echo one > a.txt; touch -d '2020-01-01' a.txt");
    await wait(2_500);
    await rig.capture(thread);
    const before = await rig.capture(thread);

    await sh("echo two > b.txt; cat b.txt > a.txt; rm b.txt; touch -d '2020-01-01' a.txt");

    expect(await rig.capture(thread)).not.toBe(before);
  });

  it("stores again what was collected in between", async () => {
    const { sh, thread } = begun;
    await sh("echo one > a.txt");
    await wait(2_500);
    await rig.capture(thread);
    const missing = new AppError("node X is missing", { code: "node-missing", remedy: "bug" });
    let puts = 0;
    const { put } = rig.store;
    rig.store.put = async (nodes) => {
      if (++puts === 1) throw missing;
      await put(nodes);
    };

    const again = await rig.capture(thread);

    expect((await rig.store.load("workspace", again)).files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(puts).toBe(3);
  });

  it("says once what is left out", async () => {
    await begun.sh("ln -s /etc/passwd out");

    await rig.capture(begun.thread);
    await rig.capture(begun.thread);

    expect(rig.warnings).toHaveLength(1);
  });

  it("gives a repository its .git back that a killed capture had hidden", async () => {
    await begun.sh("git init -q nested; echo 1 > nested/file; mv nested/.git nested/.uwf-tmp-git");

    await rig.capture(begun.thread);

    expect((await begun.sh("ls -A nested; git -C nested status --short")).output).toBe(
      ".git\nfile\n?? file\n",
    );
  });
});
