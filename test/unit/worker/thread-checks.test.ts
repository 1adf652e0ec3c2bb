import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Source } from "../../../src/store/payload.ts";
import { liveReporter, type Reporter } from "../../../src/worker/report.ts";
import { type FakeForge, fakeForge, forgesOf } from "../../fixtures/fake-forge.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const base = "a".repeat(40);
const pushed = "b".repeat(40);
const source: Source = {
  forge: "github",
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It drops a line", url: "https://h/acme/parser/issues/12" },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};
const pullRequest = { number: 13, branch: "uwf/issue-12", repository: "acme/parser" };

describe("the check of a commit", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let reporters: Reporter[];
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    reporters = [];
  });
  afterEach(async () => {
    await Promise.all(reporters.map((reporter) => reporter.close()));
    await temporary.dispose();
  });

  const process = (): Reporter => {
    const { store } = temporary;
    const reporter = liveReporter({ store, forges: forgesOf(forge), log: silentLog });
    reporters.push(reporter);
    return reporter;
  };
  const thread = async (on: Source): Promise<ThreadId> => {
    const workspace = makeNode("workspace", {
      repository: "github/acme/parser",
      base,
      tree: "c".repeat(40),
      files: [],
    });
    const fixture = threadFixture({ source: on, workspace: workspace.hash });
    const id = newThreadId();
    const nodes: Node[] = [workspace, ...fixture.nodes];
    await temporary.store.createThread(threadRecord(fixture, { id }), nodes);
    await temporary.store.advance(id, {}, { status: "running" });
    return id;
  };
  const push = (id: ThreadId, commit: string) =>
    temporary.store.setLink(id, "commit", `github/17/acme/parser@${commit}`);
  const states = () => forge.set.map(({ commit, status, summary }) => [commit[0], status, summary]);

  it("says how work on a pull request stands, once for each change", async () => {
    const id = await thread({ ...source, pullRequest });
    const reporter = process();
    await reporter.show(id);
    await reporter.show(id);
    await push(id, pushed);
    await reporter.show(id);
    await temporary.store.advance(id, {}, { status: "completed" });
    await reporter.show(id);

    expect(states()).toEqual([
      ["a", "running", "Working."],
      ["b", "running", "Working."],
      ["a", "success", "Done."],
      ["b", "success", "Done."],
    ]);
    expect(forge.set[0]).toMatchObject({
      thread: id,
      url: "https://h/acme/parser/issues/12#issuecomment-1",
    });
  });

  it("is written for nothing but what an issue's work has pushed", async () => {
    const id = await thread(source);
    await process().show(id);
    expect(states()).toEqual([]);

    await push(id, pushed);
    await temporary.store.advance(id, {}, { status: "failed", reason: "developer: @ada said no." });
    await process().show(id);

    expect(states()).toEqual([["b", "failure", "Failed. developer: @\u200bada said no."]]);
  });

  it("moves on with a commit that another one has followed", async () => {
    const id = await thread(source);
    const reporter = process();
    await push(id, pushed);
    await reporter.show(id);
    await push(id, "d".repeat(40));
    await temporary.store.advance(id, {}, { status: "paused", reason: "Paused by mona." });

    await reporter.show(id);

    expect(states().slice(1)).toEqual([
      ["d", "neutral", "Paused by mona."],
      ["b", "neutral", "Paused by mona."],
    ]);
  });

  it("is written after a restart when the forge did not answer", async () => {
    const id = await thread({ ...source, pullRequest });
    await temporary.store.advance(id, {}, { status: "completed" });
    forge.faults.set("setCheck", new AppError("503", { code: "forge-unavailable", remedy: "retry" }));
    await process().catchUp();
    forge.faults.clear();

    await process().catchUp();

    expect(states()).toEqual([["a", "success", "Done."]]);
  });

  it("is left out where the forge refuses it, and nothing else is", async () => {
    const id = await thread({ ...source, pullRequest });
    await temporary.store.advance(id, {}, { status: "failed", reason: "Too hard." });
    forge.faults.set("setCheck", new AppError("403", { code: "forge-denied", remedy: "fix-config" }));

    await process().show(id);

    expect(forge.comments.size).toBe(2);
    expect(await temporary.store.link(id, "reported")).toContain("failed");
  });
});
