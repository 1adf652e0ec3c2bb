import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { makeNode } from "../../../src/store/node.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { readSituation } from "../../../src/worker/situation.ts";
import { threadView } from "../../../src/worker/thread-view.ts";
import { fixtureTime, messageFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

describe("what a thread has cost", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  it("counts what the step that did not finish has cost, while it runs and after it failed", async () => {
    const { store } = temporary;
    const fixture = threadFixture();
    const id = newThreadId();
    const usage = { inputTokens: 700, cachedInputTokens: 0, outputTokens: 7, costUsd: 0.5 };
    const task = messageFixture(null, "Do it.");
    const reply = makeNode("turn", {
      kind: "reply",
      prev: task.hash,
      model: "m",
      content: "hm",
      reasoning: null,
      toolCalls: [],
      finish: "stop",
      usage,
      at: fixtureTime,
      ms: 1,
    });
    const end = makeNode("thread-end", {
      start: fixture.start.hash,
      prev: null,
      status: "failed",
      reason: "Too hard.",
      turns: reply.hash,
      workspace: null,
      at: fixtureTime,
    });
    await store.createThread(threadRecord(fixture, { id }), fixture.nodes);
    const viewOf = async (record: ThreadRecord | undefined) =>
      record && threadView(store, await readSituation(store, record), fixtureTime);

    const running = await store.advance(id, {}, { tip: reply.hash, status: "running" }, [task, reply]);
    const during = await viewOf(running);
    const failed = await store.advance(id, {}, { head: end.hash, tip: null, status: "failed" }, [end]);
    const after = await viewOf(failed);

    expect([during?.usage, after?.usage]).toEqual([usage, usage]);
  });
});
