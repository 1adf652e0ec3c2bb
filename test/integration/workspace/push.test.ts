import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hash, newThreadId } from "../../../src/base/ids.ts";
import {
  type Begun,
  captureOf,
  commitRequest,
  unexamined,
  type WorkspaceRig,
  workspaceRig,
} from "../../fixtures/workspace-rig.ts";

const FILES = { "sum.js": "a - b\n", "dos.txt": "a\r\nb\r\n", "run.sh": { program: "#!/bin/sh\n" } };
const BRANCH = commitRequest.branch;

describe("push", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  let captured: Hash;
  beforeEach(async () => {
    rig = workspaceRig(FILES);
    begun = await rig.begin();
    await begun.sh("echo 'a + b' > sum.js; echo new > new.sh; chmod +x new.sh");
    captured = await rig.capture(begun.thread);
  });
  afterEach(() => rig.dispose());

  const log = (format: string): string => rig.source.git("log", "-1", `--format=${format}`, BRANCH);

  it("commits the captured tree on its base and makes the branch", async () => {
    const pushed = await rig.push(begun.thread, captured);

    expect(pushed).toEqual({ branch: BRANCH, commit: rig.source.git("rev-parse", BRANCH), changed: true });
    expect(log("%P")).toBe(begun.base);
    expect(rig.source.git("diff", "--name-status", "main", BRANCH)).toBe("A\tnew.sh\nM\tsum.js");
    expect(rig.source.git("ls-tree", BRANCH, "new.sh")).toMatch(/^100755 /);
    expect(rig.source.show(BRANCH, "dos.txt").toString()).toBe("a\r\nb\r\n");
  });

  it("signs with the author and credits the others once", async () => {
    const ann = { name: "Ann <x>\n", email: "ann@example.org" };
    await rig.push(begun.thread, captured, {
      message: "Fix\r\n\r\nWhy.  \n\n",
      coAuthors: [ann, ann, commitRequest.author],
    });

    expect(log("%an <%ae>|%cn <%ce>|%at")).toBe(
      "uwf[bot] <bot@example.org>|uwf[bot] <bot@example.org>|1700000000",
    );
    expect(log("%B")).toBe(
      `Fix\n\nWhy.\n\nCo-authored-by: Ann x <ann@example.org>\nUwf-Thread: ${begun.thread}`,
    );
  });

  it("makes the same commit for the same thread and tree, here and on another machine", async () => {
    const first = await rig.push(begun.thread, captured);
    const second = await rig.push(begun.thread, captured);
    rig.source.git("branch", "-D", BRANCH);
    const third = await rig
      .elsewhere("other")
      .push(begun.thread, captured, commitRequest, { url: rig.source.repository, token: null }, unexamined);

    expect(second).toEqual({ ...first, changed: false });
    expect(third).toEqual(first);
  });

  it("builds on its own commit, and on a branch that it began with", async () => {
    const first = await rig.push(begun.thread, captured);
    await begun.sh("echo more > more.txt");
    const second = await rig.push(begun.thread, await rig.capture(begun.thread));
    expect(log("%P")).toBe(first.commit);

    const { thread, workspaces } = {
      thread: begun.thread.replace(/.$/, "0") as typeof begun.thread,
      workspaces: rig.workspaces,
    };
    const source = { repository: rig.source.repository };
    const { commit: base } = await workspaces.fetch(source, {
      branch: BRANCH,
      signal: new AbortController().signal,
    });
    expect(base).toBe(second.commit);
    const workspace = await workspaces.open(thread, { ...source, base, captured: null });
    await workspace.files.write("third.txt", Buffer.from("3\n"));
    const third = await rig.push(thread, await captureOf(workspaces, thread));

    expect(third.changed).toBe(true);
    expect(log("%P")).toBe(second.commit);
  });

  it("never writes over what somebody else put on the branch", async () => {
    await rig.push(begun.thread, captured);
    rig.source.git("checkout", "--quiet", BRANCH);
    const theirs = rig.source.commit({ "theirs.txt": "1\n" });
    rig.source.git("checkout", "--quiet", "main");
    await begun.sh("echo more > more.txt");

    const pushing = rig.push(begun.thread, await rig.capture(begun.thread));

    await expect(pushing).rejects.toMatchObject({ code: "branch-moved", remedy: "fix-input" });
    expect(rig.source.git("rev-parse", BRANCH)).toBe(theirs);
  });

  it("refuses a branch that has another history", async () => {
    rig.source.git("checkout", "--quiet", "--orphan", BRANCH);
    rig.source.commit({ other: "1\n" });
    rig.source.git("checkout", "--quiet", "main");

    await expect(rig.push(begun.thread, captured)).rejects.toMatchObject({ code: "branch-moved" });
  });

  it("pushes nothing when nothing changed", async () => {
    const untouched = await rig.begin();

    const pushed = await rig.push(untouched.thread, await rig.capture(untouched.thread));

    expect(pushed).toEqual({ branch: BRANCH, commit: untouched.base, changed: false });
    expect(rig.source.git("branch", "--list", BRANCH)).toBe("");
  });

  it("never pushes to the default branch, whatever its name", async () => {
    rig.source.git("branch", "--move", "main", "uwf/main");

    await expect(rig.push(begun.thread, captured, { branch: "uwf/main" })).rejects.toMatchObject({
      code: "branch-default",
      remedy: "fix-input",
    });
  });

  it("pushes to branches of the prefix that it is given, and to none without one", async () => {
    const branch = "bot/issue-1";

    expect(await rig.push(begun.thread, captured, { branch, prefix: "bot/" })).toMatchObject({ branch });
    for (const prefix of ["uwf/", ""])
      await expect(rig.push(begun.thread, captured, { branch, prefix })).rejects.toMatchObject({
        code: "branch-invalid",
      });
  });

  describe("onto a branch that is there", () => {
    const onto = { onto: "existing-branch" } as const;

    it("adds to the base, and to its own commits", async () => {
      rig.source.git("branch", BRANCH, begun.base);

      const first = await rig.push(begun.thread, captured, onto);
      expect(log("%P")).toBe(begun.base);

      await begun.sh("echo more > more.txt");
      await rig.push(begun.thread, await rig.capture(begun.thread), onto);
      expect(log("%P")).toBe(first.commit);
    });

    it("does not make it again", async () => {
      await expect(rig.push(begun.thread, captured, onto)).rejects.toMatchObject({ code: "branch-gone" });
    });

    it("brings nothing back that people have taken from it", async () => {
      rig.source.git("branch", BRANCH, begun.base);
      rig.source.git("checkout", "--quiet", "--detach");
      const later = rig.source.commit({ "later.txt": "1\n" });
      rig.source.git("branch", "--force", BRANCH, later);
      const { commit: base } = await rig.workspaces.fetch(
        { repository: rig.source.repository },
        { branch: BRANCH, signal: new AbortController().signal },
      );
      const thread = newThreadId();
      const opened = { repository: rig.source.repository, base, captured: null };
      const workspace = await rig.workspaces.open(thread, opened);
      await workspace.files.write("third.txt", Buffer.from("3\n"));
      const work = await captureOf(rig.workspaces, thread);
      rig.source.git("branch", "--force", BRANCH, begun.base);

      await expect(rig.push(thread, work, onto)).rejects.toMatchObject({ code: "branch-moved" });
      expect(rig.source.git("rev-parse", BRANCH)).toBe(begun.base);
    });
  });

  it.each(["main", "uwf", "uwf/../main", "uwf/a b", "uwf/-x/..", "-uwf/x", "uwf/x.lock", "refs/heads/uwf/x"])(
    "refuses the branch %s",
    async (branch) => {
      await expect(rig.push(begun.thread, captured, { branch })).rejects.toMatchObject({
        code: "branch-invalid",
      });
    },
  );

  it("says what the remote says when it refuses", async () => {
    const hook = join(rig.source.repository, ".git/hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'no bots here' >&2\nexit 1\n", { mode: 0o755 });

    await expect(rig.push(begun.thread, captured)).rejects.toMatchObject({
      code: "push-refused",
      remedy: "fix-config",
      message: expect.stringContaining("no bots here"),
    });
  });

  it("says that a remote is gone", async () => {
    const gone = { url: join(rig.source.directory, "gone"), token: null };

    await expect(
      rig.workspaces.push(begun.thread, captured, commitRequest, gone, unexamined),
    ).rejects.toMatchObject({
      code: "repository-missing",
      remedy: "fix-input",
    });
  });
});
