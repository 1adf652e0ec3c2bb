import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord, ThreadStatus } from "../../../src/store/store.ts";
import { threadLease } from "../../../src/store/store.ts";
import { tidyWorkspaces } from "../../../src/worker/tidy-workspaces.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const yaml = `
version: 1
name: one
description: One role.
roles:
  developer:
    description: Works.
    systemPrompt: Work.
    schema: { type: object }
moderator:
  - { from: $START, to: developer }
  - { from: developer, to: $END }
`;

describe("tidyWorkspaces", () => {
  let bench: ThreadBench;
  let source: GitSource;
  beforeEach(async () => {
    bench = await threadBench(scriptedModel([]));
    source = gitSource({ "a.txt": "a\n" });
  });
  afterEach(async () => {
    await bench.dispose();
    source.dispose();
  });

  /** A thread that has a directory here, in this state, and was opened last at `lastAt`. */
  const left = async ({
    status,
    lastAt,
  }: {
    status: ThreadStatus;
    lastAt?: string;
  }): Promise<ThreadRecord> => {
    const { store, engine } = bench;
    const record = await bench.start(yaml, { repository: source.repository });
    const { workspace } = await store.load("thread-start", record.start);
    const { base, repository } = await store.load("workspace", workspace ?? ("" as never));
    await engine.workspaces.open(record.id, { repository, base, captured: null });
    await store.setLink(record.id, "workspace", lastAt ?? (await engine.workspaces.place()));
    await store.advance(record.id, {}, { status });
    return record;
  };
  const here = (): Promise<ThreadId[]> => bench.engine.workspaces.threads();

  it("gives back what a thread left that has gone on on another machine, and what one left that is done", async () => {
    await left({ status: "queued", lastAt: "elsewhere" });
    await left({ status: "failed", lastAt: "elsewhere" });
    await left({ status: "completed" });

    await tidyWorkspaces(bench.engine);

    expect(await here()).toEqual([]);
  });

  it("leaves alone what may be needed: of threads that were here last, and of those that the store does not know", async () => {
    const kept = [
      await left({ status: "queued" }),
      await left({ status: "failed" }),
      await left({ status: "paused" }),
      await left({ status: "completed" }),
    ].map(({ id }) => id);
    await bench.store.removeThread(kept[3] ?? ("" as never));

    await tidyWorkspaces(bench.engine);

    expect((await here()).toSorted()).toEqual(kept.toSorted());
  });

  it("waits while somebody runs the thread", async () => {
    const { id } = await left({ status: "running", lastAt: "elsewhere" });
    await bench.store.lease(threadLease(id), "elsewhere:1:1:x", 60_000);

    await tidyWorkspaces(bench.engine);
    const before = await here();
    await bench.store.release(threadLease(id), "elsewhere:1:1:x");
    await tidyWorkspaces(bench.engine);

    expect([before, await here()]).toEqual([[id], []]);
  });
});
