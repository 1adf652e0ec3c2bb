import { existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { captureOf, shell, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

const FILES = {
  "a.txt": "a\n",
  "src/b.txt": "b\n",
  "run.sh": { program: "#!/bin/sh\n" },
  ".gitignore": "*.log\n",
};

describe("open", () => {
  let rig: WorkspaceRig;
  beforeEach(() => {
    rig = workspaceRig(FILES);
  });
  afterEach(() => rig.dispose());

  it("gives roles a repository in which log, status and diff work", async () => {
    const { sh, base } = await rig.begin();

    await sh("echo changed > a.txt");
    const { output } = await sh(
      "git log --format=%H; git status --short; git diff --stat; git remote; git rev-parse origin/main",
    );

    expect(output).toBe(
      `${base}\n M a.txt\n a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n${base}\n`,
    );
  });

  it("takes an open workspace up as it is", async () => {
    const { thread, base, sh } = await rig.begin();
    await sh("echo 1 > work; echo 1 > ignored.log");

    const again = await rig.workspaces.open(thread, {
      repository: rig.source.repository,
      base,
      captured: null,
    });

    expect((await shell(again, "ls")).output).toBe("a.txt\nignored.log\nrun.sh\nsrc\nwork\n");
  });

  it("gives roles their repository back when it is gone", async () => {
    const { thread, base, sh } = await rig.begin();
    await sh("echo 1 > work; rm -rf .git; ln -s /tmp .git");

    const again = await rig.workspaces.open(thread, {
      repository: rig.source.repository,
      base,
      captured: null,
    });

    expect((await shell(again, "git status --short; git log --format=%s")).output).toBe("?? work\nBegin\n");
  });

  it("makes a directory anew that was not finished", async () => {
    const { thread, base } = await rig.begin();
    rmSync(join(rig.root, "workspaces", thread, "state.json"));
    rmSync(join(rig.root, "workspaces", thread, "workspace/a.txt"));

    const again = await rig.workspaces.open(thread, {
      repository: rig.source.repository,
      base,
      captured: null,
    });

    expect((await shell(again, "cat a.txt")).output).toBe("a\n");
  });

  it("rebuilds a captured state on another machine", async () => {
    const { thread, base, sh } = await rig.begin();
    await sh(
      "rm -r src; echo new > src; chmod -x run.sh; ln -s a.txt link; printf '\\000\\377' > bin; mkdir d; echo 1 > d/e; chmod +x d/e",
    );
    const captured = await rig.capture(thread);
    const other = rig.elsewhere("other");

    const workspace = await other.open(thread, { repository: rig.source.repository, base, captured });

    const listing =
      "find . -path ./.git -prune -o -printf '%P %y %m %l\\n' | grep -v ' d ' | sort; cat src a.txt d/e; od -c bin";
    expect((await shell(workspace, listing)).output).toBe((await sh(listing)).output);
    expect(await captureOf(other, thread)).toBe(captured);
  });

  it("goes on from here when this machine has moved on, and from the node when another one has", async () => {
    const { thread, base, sh } = await rig.begin();
    const place = { repository: rig.source.repository, base };
    await sh("echo 1 > one");
    const first = await rig.capture(thread);
    await sh("echo 2 > two");
    const here = await rig.workspaces.open(thread, { ...place, captured: first });
    expect((await shell(here, "ls one two")).output).toBe("one\ntwo\n");

    const other = rig.elsewhere("other");
    const there = await other.open(thread, { ...place, captured: first });
    await shell(there, "rm one; echo 3 > three");
    const second = await captureOf(other, thread);
    const back = await rig.workspaces.open(thread, { ...place, captured: second });

    expect((await shell(back, "ls")).output).toBe("a.txt\nrun.sh\nsrc\nthree\n");
  });

  it("starts a fork from another thread's captured state", async () => {
    const { thread, sh } = await rig.begin();
    await sh("echo 1 > one; rm a.txt");
    const captured = await rig.capture(thread);

    const fork = await rig.begin(captured);

    expect((await fork.sh("ls")).output).toBe("one\nrun.sh\nsrc\n");
    expect(await rig.capture(fork.thread)).toBe(captured);
  });

  it("makes an empty workspace without a repository, which has nothing to capture", async () => {
    const thread = newThreadId();

    const workspace = await rig.workspaces.open(thread, null);
    const { output } = await shell(
      workspace,
      "echo 1 > x; git add x; git commit -qm one; git log --format=%s; ls",
    );

    expect(output).toBe("one\nx\n");
    expect(await rig.workspaces.capture(thread)).toBeNull();
    await rig.workspaces.close(thread);
    expect(existsSync(join(rig.root, "workspaces", thread))).toBe(false);
  });

  it("keeps long outputs where files and commands find them, outside the tree", async () => {
    const { thread, workspace, sh } = await rig.begin();

    const path = await workspace.keepOutput("a long text");

    expect(Buffer.from(await workspace.files.read(path)).toString()).toBe("a long text");
    expect((await sh(`cat '${path}'`)).output).toBe("a long text");
    await expect(workspace.files.write(path, Buffer.from("x"))).rejects.toMatchObject({
      code: "path-outside",
    });
    expect((await rig.store.load("workspace", await rig.capture(thread))).files).toEqual([]);
  });

  it("runs commands in a directory of the workspace alone", async () => {
    const { workspace } = await rig.begin();
    const exec = (cwd: string) =>
      workspace.exec({
        command: ["pwd"],
        cwd,
        timeoutMs: 5000,
        maxOutputBytes: 1000,
        signal: new AbortController().signal,
      });

    expect((await exec("src")).output).toBe(`${workspace.root}/src\n`);
    await expect(exec("..")).rejects.toMatchObject({ code: "path-outside" });
    await expect(exec("a.txt")).rejects.toMatchObject({ code: "not-a-directory" });
    await expect(exec("gone")).rejects.toMatchObject({ code: "file-missing" });
  });
});

describe("a used checkout", () => {
  let rig: WorkspaceRig;
  beforeEach(() => {
    rig = workspaceRig(FILES);
  });
  afterEach(() => rig.dispose());

  it("comes back clean: changes, ignored files, repositories, modes and links are gone", async () => {
    const first = await rig.begin();
    const clean = await rig.capture(first.thread);
    await first.sh(
      "echo x >> a.txt; echo 1 > debug.log; mkdir -p n/.git/hooks e/m/p; echo 1 > n/.git/hooks/x; rm -r src; ln -s /tmp src; git commit -qam role; git stash -u; echo y > a.txt; mkdir locked; echo 1 > locked/f; chmod 500 locked",
    );
    await first.workspace.keepOutput("secret of the first thread");
    await rig.workspaces.close(first.thread);

    const second = await rig.begin();
    const { output } = await second.sh(
      "git status --short --ignored; git stash list; git log --format=%s; ls -A; ls ../output",
    );

    expect(output).toBe("Begin\n.git\n.gitignore\na.txt\nrun.sh\nsrc\n");
    expect(await rig.capture(second.thread)).toBe(clean);
    expect(rig.warnings).toEqual([]);
  });

  it("is brought to the new base", async () => {
    const first = await rig.begin();
    await rig.workspaces.close(first.thread);
    rig.source.commit({ "a.txt": "newer\n", "src/b.txt": null, c: "c\n" });

    const second = await rig.begin();

    expect((await second.sh("cat a.txt c; ls; git log --format=%s -1")).output).toBe(
      "newer\nc\na.txt\nc\nrun.sh\nChange files\n",
    );
  });

  it("is thrown away when it cannot be mended", async () => {
    const first = await rig.begin();
    await rig.workspaces.close(first.thread);
    const used = globSync(join(rig.root, "workspaces/pool/*/*/git/index"));
    for (const index of used) writeFileSync(index, "garbage");
    rig.source.commit({ "a.txt": "newer\n" });

    const second = await rig.begin();

    expect(used).toHaveLength(1);
    expect((await second.sh("cat a.txt; git status --short")).output).toBe("newer\n");
    expect(rig.warnings).toHaveLength(1);
  });

  it("is never given to two threads", async () => {
    const first = await rig.begin();
    await rig.workspaces.close(first.thread);

    const [one, two] = await Promise.all([rig.begin(), rig.begin()]);
    await one.sh("echo 1 > mine");

    expect((await two.sh("ls")).output).not.toContain("mine");
  });
});
