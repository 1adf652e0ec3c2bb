import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { type Log, silentLog } from "../../../src/base/log.ts";
import { zeroUsage } from "../../../src/llm/usage.ts";
import type { ThreadChange } from "../../../src/store/store.ts";
import { liveReporter, type Reporter } from "../../../src/worker/report.ts";
import { type FakeForge, fakeForge, forgesOf } from "../../fixtures/fake-forge.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const source = {
  forge: "github" as const,
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It drops a line", url: null },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};

describe("the reporter", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let reporter: Reporter;
  let warnings: string[];
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    warnings = [];
    const note = (_fields: object, message: string) => void warnings.push(message);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const { store } = temporary;
    reporter = liveReporter({ store, forges: forgesOf(forge), log, paceMs: 20 });
  });
  afterEach(async () => {
    await reporter.close();
    await temporary.dispose();
  });

  const thread = async (change: ThreadChange): Promise<ThreadId> => {
    const fixture = threadFixture({ source });
    const id = newThreadId();
    await temporary.store.createThread(threadRecord(fixture, { id }), fixture.nodes);
    await temporary.store.advance(id, {}, change);
    return id;
  };
  const set = (id: ThreadId, change: ThreadChange) => temporary.store.advance(id, {}, change);
  const bodies = () =>
    [...forge.comments.values()].map(({ body }) => body).filter((body) => !body.includes("uwf:call:"));
  const status = (id: ThreadId) =>
    ({ thread: id, at: 0, kind: "status", status: "running", reason: null }) as const;

  it("keeps one comment, edited in place, also after the process began anew", async () => {
    const id = await thread({ status: "running" });

    await reporter.show(id);
    await set(id, { status: "completed" });
    await reporter.show(id);

    expect(bodies()).toEqual([expect.stringContaining("**Done.**")]);
  });

  it("makes its comment again when somebody deleted it", async () => {
    const id = await thread({ status: "running" });
    await reporter.show(id);
    forge.comments.delete(1);
    await set(id, { status: "failed", reason: "Too hard." });

    await reporter.show(id);

    expect(bodies()).toEqual([expect.stringContaining("Too hard.")]);
  });

  it("shows what was not shown, once", async () => {
    const id = await thread({ status: "cancelled", reason: "Too hard." });

    await reporter.catchUp();
    await reporter.catchUp();

    expect(await temporary.store.link(id, "reported")).toContain("cancelled");
    expect(forge.called).toEqual(["findComment", "createComment", "findComment"]);
  });

  it("shows what was missed behind hundreds of newer threads that were shown", async () => {
    const missed = await thread({ status: "failed", reason: "Too hard." });
    const fixture = threadFixture({ source });
    const at = Date.now();
    for (let n = 0; n < 250; n++) {
      const record = threadRecord(fixture, { status: "completed", createdAt: at + n, updatedAt: at });
      await temporary.store.createThread(record, fixture.nodes);
      await temporary.store.setLink(record.id, "reported", `completed ${at}`);
    }

    await reporter.catchUp();

    expect(await temporary.store.link(missed, "reported")).toContain("failed");
    expect(bodies()).toEqual([expect.stringContaining("Too hard.")]);
  });

  it("tries again what passes, and gives up for now what the forge refuses", async () => {
    await thread({ status: "failed", reason: "Too hard." });

    forge.faults.set("findComment", new AppError("503", { code: "forge-unavailable", remedy: "retry" }));
    await reporter.catchUp();
    await reporter.catchUp();
    forge.faults.set("findComment", inputError("forge-missing", "the issue is gone"));
    await reporter.catchUp();
    await reporter.catchUp();
    await reporter.catchUp();

    expect(forge.called).toHaveLength(3);
  });

  it("tries a refused thread again after a while: the forge may have been told to let the bot in", async () => {
    const clock = { ms: Date.now() };
    const { store } = temporary;
    const parts = { store, forges: forgesOf(forge), log: silentLog };
    const patient = liveReporter({ ...parts, now: () => clock.ms });
    await thread({ status: "failed", reason: "Too hard." });
    forge.faults.set("findComment", new AppError("no", { code: "forge-denied", remedy: "fix-config" }));
    await patient.catchUp();
    forge.faults.clear();
    await patient.catchUp();
    expect(bodies()).toEqual([]);

    clock.ms += 15 * 60_000;
    await patient.catchUp();

    expect(bodies()).toEqual([expect.stringContaining("Too hard.")]);
    await patient.close();
  });

  it("shows an end as soon as ever, however the clock is set meanwhile", async () => {
    // Before the reporter takes the clock's reading.
    vi.useFakeTimers({ toFake: ["Date"] });
    const { store } = temporary;
    const own = liveReporter({ store, forges: forgesOf(forge), log: silentLog, paceMs: 20 });
    const id = await thread({ status: "running" });
    await own.show(id);
    const reply = { content: "", calls: [], usage: zeroUsage(), ms: 1 };
    own.see({ thread: id, at: 0, kind: "model-replied", role: "developer", ...reply });
    await set(id, { status: "completed" });
    vi.setSystemTime(Date.now() + 3_600_000);

    own.see(status(id));

    await vi.waitFor(() => expect(bodies()).toEqual([expect.stringContaining("**Done.**")]));
    vi.useRealTimers();
    await own.close();
  });

  it("shows a refused thread when it stands otherwise", async () => {
    const id = await thread({ status: "paused" });
    forge.faults.set("findComment", inputError("forge-missing", "the issue is gone"));
    await reporter.catchUp();
    forge.faults.clear();
    await wait(5);
    await set(id, { status: "cancelled" });

    await reporter.catchUp();

    expect(bodies()).toEqual([expect.stringContaining("**Stopped.**")]);
  });

  it("brings the comment up to date when it is asked to, and catches up when the forge did not answer", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    await reporter.show(id);
    forge.comments.clear();

    forge.faults.set("updateComment", new AppError("503", { code: "forge-unavailable", remedy: "retry" }));
    await temporary.store.setLink(id, "notice", JSON.stringify({ to: "mona", text: "Not now." }));
    reporter.refresh(id);
    reporter.refresh(id);
    await wait(60);
    forge.faults.clear();
    await reporter.catchUp();

    expect(bodies()).toEqual([expect.stringContaining("Not now.")]);
    expect(forge.called.filter((name) => name === "updateComment")).toHaveLength(2);
  });

  it("remembers an edit that failed behind one that went well", async () => {
    const id = await thread({ status: "failed", reason: "Too hard." });
    await reporter.show(id);
    await set(id, { status: "cancelled", reason: "Stopped." });
    const { updateComment } = forge;
    let edits = 0;
    forge.updateComment = async (comment, body) => {
      await wait(40);
      if (++edits > 1) throw new AppError("503", { code: "forge-unavailable", remedy: "retry" });
      await updateComment(comment, body);
    };

    const first = reporter.show(id);
    await wait(20);
    await temporary.store.setLink(id, "notice", JSON.stringify({ to: "mona", text: "Not now." }));
    reporter.refresh(id);
    await first;
    await expect.poll(() => edits, { timeout: 2_000 }).toBe(2);
    await wait(60);
    forge.updateComment = updateComment;
    await reporter.catchUp();

    expect(bodies()).toEqual([expect.stringContaining("Not now.")]);
  });

  it("shows what a role that works on costs, at a slower pace, and does not keep other news waiting", async () => {
    const { store } = temporary;
    await reporter.close();
    const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    reporter = liveReporter({
      ...{ store, forges: forgesOf(forge), log },
      ...{ paceMs: 20, busyPaceMs: 300 },
    });
    const id = await thread({ status: "running" });
    const replied = { kind: "model-replied", role: "developer", content: "", calls: [], ms: 1 } as const;
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null };
    const reply = () => reporter.see({ ...replied, usage, thread: id, at: 0 });
    const news = (text: string) => store.setLink(id, "notice", JSON.stringify({ to: "mona", text }));
    const edits = () => forge.called.filter((name) => name === "updateComment").length;
    await reporter.show(id);

    await news("one");
    for (let n = 0; n < 10; n++) reply();
    await wait(100);
    expect(edits()).toBe(0);
    reporter.see(status(id));
    await wait(100);
    expect(edits()).toBe(1);

    await news("two");
    reply();
    await expect.poll(edits, { timeout: 2_000 }).toBe(2);
  });

  it("catches up once at a time", async () => {
    await thread({ status: "cancelled", reason: "Too hard." });

    await Promise.all([reporter.catchUp(), reporter.catchUp(), reporter.catchUp()]);

    expect(forge.called.filter((name) => name === "createComment")).toHaveLength(1);
  });

  it("writes nothing after it is closed", async () => {
    const id = await thread({ status: "running" });
    await reporter.close();

    reporter.see(status(id));
    await reporter.catchUp();
    await wait(60);

    expect([forge.called, warnings]).toEqual([[], []]);
  });

  it("never writes two edits of a comment at once, and the last one tells the last state", async () => {
    const id = await thread({ status: "running" });
    let atOnce = 0;
    let most = 0;
    const { updateComment } = forge;
    forge.updateComment = async (comment, body) => {
      most = Math.max(most, ++atOnce);
      await wait(15);
      await updateComment(comment, body);
      atOnce--;
    };
    await reporter.show(id);

    const moves = ["completed", "queued", "failed", "running", "completed"] as const;
    const shown: Promise<void>[] = [];
    for (const next of moves) {
      await set(id, { status: next });
      reporter.see(status(id));
      shown.push(reporter.show(id));
      await wait(10);
    }
    await Promise.all(shown);
    await wait(60);

    expect(most).toBe(1);
    expect(bodies()).toEqual([expect.stringContaining("**Done.**")]);
  });
});
