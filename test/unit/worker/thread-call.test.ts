import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ThreadChange } from "../../../src/store/store.ts";
import { liveReporter, type Reporter } from "../../../src/worker/report.ts";
import { type FakeForge, fakeForge, forgesOf } from "../../fixtures/fake-forge.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const source = {
  forge: "github" as const,
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It drops a line", url: "https://h/acme/parser/issues/12" },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};

describe("a call", () => {
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
  const thread = async (change: ThreadChange): Promise<ThreadId> => {
    const fixture = threadFixture({ source });
    const id = newThreadId();
    await temporary.store.createThread(threadRecord(fixture, { id }), fixture.nodes);
    await temporary.store.advance(id, {}, change);
    return id;
  };
  const calls = () =>
    [...forge.comments.values()].map(({ body }) => body).filter((body) => body.includes("uwf:call:"));
  const made = () => forge.called.filter((name) => name === "createComment").length;

  it("mentions who asked for the work when it failed, once, and points to the live comment", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });

    await process().show(id);
    await process().show(id);

    expect(calls()).toEqual([
      expect.stringMatching(
        /^<!-- uwf:call:\w+ failed \d+ -->\n@mona: the work has failed; \[the comment above\]\(https:\/\/h\/acme\/parser\/issues\/12#issuecomment-1\) says more\.$/,
      ),
    ]);
    expect(made()).toBe(2);
  });

  it.each<[string, ThreadChange]>([
    ["that goes on", { status: "running" }],
    ["that is done", { status: "completed" }],
    ["that somebody paused", { status: "paused", reason: "Paused by mona." }],
    ["that somebody stopped", { status: "cancelled", reason: "Stopped by mona." }],
    ["that is tried again", { status: "queued", reason: "429", dueAt: Date.now() + 60_000 }],
  ])("is not for work %s", async (_what, change) => {
    await process().show(await thread(change));

    expect(calls()).toEqual([]);
    expect(forge.called).toEqual(["findComment", "createComment", "findComment"]);
  });

  it("is made once for an answer to finished work that a person has to see, and taken back with it", async () => {
    const id = await thread({ status: "completed" });
    const notice = { to: "mona", text: "checks still fail.", calls: "checks still fail" };
    await temporary.store.setLink(id, "notice", JSON.stringify(notice));

    await process().show(id);
    await process().show(id);
    expect(calls()).toEqual([expect.stringContaining("\n@mona: checks still fail; [the comment above]")]);
    expect(made()).toBe(2);

    await temporary.store.setLink(id, "notice", "");
    await process().show(id);
    expect(calls()).toEqual([]);
  });

  it("is taken back when the work goes on, and made anew when it stands still again", async () => {
    const id = await thread({ status: "suspended", reason: "Which?" });
    await process().show(id);
    await temporary.store.advance(id, {}, { status: "running", reason: null });

    await process().show(id);
    expect(calls()).toEqual([]);

    await temporary.store.advance(id, {}, { status: "paused", reason: "The budget is spent." });
    await process().show(id);
    expect(calls()).toEqual([expect.stringContaining("waits for you")]);
  });

  it("is made once by many processes, and once when the one that made it died before it could say so", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    await Promise.all([process().show(id), process().show(id), process().show(id)]);
    const { stamp } = JSON.parse((await temporary.store.link(id, "call")) ?? "");
    await temporary.store.setLink(id, "call", JSON.stringify({ comment: null, stamp }));
    await temporary.store.setLink(id, "reported", "");

    await process().catchUp();

    expect(calls()).toHaveLength(1);
    expect(made()).toBe(2);
    expect(JSON.parse((await temporary.store.link(id, "call")) ?? "")).toEqual({ comment: 2, stamp });
  });

  it("is found and taken back when the one that made it died before it could say so", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    await process().show(id);
    await temporary.store.setLink(id, "call", JSON.stringify({ comment: null, stamp: "failed 1" }));
    await temporary.store.advance(id, {}, { status: "queued", reason: null });

    await process().show(id);

    expect(calls()).toEqual([]);
  });

  it("is made by the next catch-up when the forge did not answer", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    const { createComment } = forge;
    forge.createComment = async (issue, body) => {
      if (body.includes("uwf:call:"))
        throw new AppError("503", { code: "forge-unavailable", remedy: "retry" });
      return createComment(issue, body);
    };
    await process().catchUp();
    expect(calls()).toEqual([]);
    forge.createComment = createComment;

    await process().catchUp();

    expect(calls()).toHaveLength(1);
    expect(await temporary.store.link(id, "reported")).toContain("failed");
  });

  it("is not made for a state that has passed", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    const { createComment } = forge;
    forge.createComment = async (issue, body) => {
      const comment = await createComment(issue, body);
      await temporary.store.advance(id, {}, { status: "running", reason: null });
      return comment;
    };

    await process().show(id);

    expect(calls()).toEqual([]);
  });
});
