import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

describe("fetch", () => {
  let rig: WorkspaceRig;
  beforeEach(() => {
    rig = workspaceRig({ "a.txt": "a\n" });
  });
  afterEach(() => rig.dispose());

  const fetch = (branch: string | null, repository = rig.source.repository) =>
    rig.workspaces.fetch({ repository }, { branch, signal: new AbortController().signal });

  it("answers the default branch's tip, again after it moved, and a named branch's", async () => {
    const first = rig.source.git("rev-parse", "HEAD");
    expect(await fetch(null)).toEqual({
      branch: "main",
      commit: first,
      tree: rig.source.git("rev-parse", "HEAD^{tree}"),
    });

    const second = rig.source.commit({ "b.txt": "b\n" });
    rig.source.git("branch", "side/one", first);

    expect(await fetch(null)).toMatchObject({ branch: "main", commit: second });
    expect(await fetch("side/one")).toMatchObject({ branch: "side/one", commit: first });
  });

  describe("of a pull request", () => {
    const fetchPull = (pullRequest: number) =>
      rig.workspaces.fetch(
        { repository: rig.source.repository },
        { branch: null, pullRequest, signal: new AbortController().signal },
      );
    /** As a forge shows a commit of another repository that no branch here leads to. */
    const open = (pullRequest: number, text: string): string => {
      rig.source.git("checkout", "--quiet", "--detach");
      const commit = rig.source.commit({ "theirs.txt": text });
      rig.source.git("update-ref", `refs/pull/${pullRequest}/head`, commit);
      rig.source.git("checkout", "--quiet", "main");
      return commit;
    };

    it("answers its last commit, again after it moved, and the default branch's name", async () => {
      const first = open(7, "1\n");
      expect(await fetchPull(7)).toEqual({
        branch: "main",
        commit: first,
        tree: rig.source.git("rev-parse", `${first}^{tree}`),
      });

      const second = open(7, "2\n");
      expect(await fetchPull(7)).toMatchObject({ commit: second });
      expect((await fetch(null)).commit).toBe(rig.source.git("rev-parse", "main"));
    });

    it("is worked on like a branch, here and on another machine", async () => {
      const base = open(7, "1\n");
      await fetchPull(7);
      const wanted = { repository: rig.source.repository, base, captured: null };

      for (const workspaces of [rig.workspaces, rig.elsewhere("other")]) {
        const workspace = await workspaces.open(newThreadId(), wanted);
        expect(Buffer.from(await workspace.files.read("theirs.txt")).toString()).toBe("1\n");
      }
    });

    it("says that there is none", async () => {
      await expect(fetchPull(8)).rejects.toMatchObject({
        code: "pull-request-missing",
        remedy: "fix-input",
      });
    });
  });

  it("reads files of what was fetched", async () => {
    const { commit } = await fetch(null);
    const read = (path: string) => rig.workspaces.file(rig.source.repository, { commit, path });

    expect(Buffer.from((await read("a.txt")) ?? "").toString()).toBe("a\n");
    expect(await read("gone.txt")).toBeUndefined();
  });

  it("keeps commits that the source has dropped", async () => {
    const { commit: base } = await fetch(null);
    rig.source.git("commit", "--quiet", "--amend", "--message", "Rewritten");
    await fetch(null);

    const workspace = await rig.workspaces.open(newThreadId(), {
      repository: rig.source.repository,
      base,
      captured: null,
    });

    expect((await workspace.files.list(".")).map(({ name }) => name)).toEqual([".git", "a.txt"]);
  });

  it("replaces a branch by one below its name", async () => {
    rig.source.git("branch", "topic");
    await fetch("topic");
    rig.source.git("branch", "-D", "topic");
    rig.source.git("branch", "topic/deeper");

    expect(await fetch("topic/deeper")).toMatchObject({ branch: "topic/deeper" });
  });

  it("lets several processes fetch one repository for the first time", async () => {
    const { path, dispose } = temporaryStore();
    const worker = join(import.meta.dirname, "../../fixtures/fetch-worker.ts");
    const shared = join(rig.source.directory, "shared");
    const args = [worker, path, shared, rig.source.repository];

    const answers = await Promise.all([1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, args)));
    await dispose();

    expect(new Set(answers.map(({ stdout }) => stdout))).toEqual(
      new Set([rig.source.git("rev-parse", "HEAD")]),
    );
    expect(readdirSync(join(rig.source.directory, "shared/mirrors"))).toHaveLength(1);
  });

  it("says what is wrong with a source", async () => {
    const empty = gitSource({});
    try {
      await expect(fetch(null, empty.repository)).rejects.toMatchObject({
        code: "repository-empty",
        remedy: "fix-input",
      });
    } finally {
      empty.dispose();
    }
    await expect(fetch(null, "/nonexistent/repo")).rejects.toMatchObject({ code: "repository-missing" });
    await expect(fetch("gone")).rejects.toMatchObject({ code: "branch-missing" });
    await expect(fetch("--upload-pack=x")).rejects.toMatchObject({ code: "branch-invalid" });
    await expect(fetch(null, "ext::sh -c id")).rejects.toMatchObject({ code: "repository-invalid" });
    rig.source.git("checkout", "--quiet", "--detach");
    await expect(fetch(null)).rejects.toMatchObject({ code: "branch-missing" });
  });

  it("refuses a base that nobody has", async () => {
    const place = { repository: rig.source.repository, base: "0".repeat(39).concat("1"), captured: null };

    await expect(rig.workspaces.open(newThreadId(), place)).rejects.toMatchObject({ code: "commit-missing" });
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const fetching = rig.workspaces.fetch(
      { repository: rig.source.repository },
      { branch: null, signal: controller.signal },
    );
    controller.abort(new Error("stopped"));

    await expect(fetching).rejects.toThrow("stopped");
  });
});
