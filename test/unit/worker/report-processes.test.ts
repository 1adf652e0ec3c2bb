import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Store, ThreadChange } from "../../../src/store/store.ts";
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

describe("reporters of several processes", () => {
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

  const process = (store: Store = temporary.store, at: FakeForge = forge): Reporter => {
    const reporter = liveReporter({ store, forges: forgesOf(at), log: silentLog, paceMs: 20 });
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
  const bodies = () =>
    [...forge.comments.values()].map(({ body }) => body).filter((body) => !body.includes("uwf:call:"));
  const made = () => forge.called.filter((name) => name === "createComment").length;
  /** The forge takes its time with every call. */
  const slow = () => {
    const { findComment, createComment } = forge;
    forge.findComment = async (...asked) => {
      const found = await findComment(...asked);
      await wait(60);
      return found;
    };
    forge.createComment = async (...asked) => {
      await wait(60);
      return createComment(...asked);
    };
  };
  /** A store whose leases keep nobody out: as if each process had lost sight of the others. */
  const withoutLeases = (): Store => {
    const holders = new Map<string, string>();
    return {
      ...temporary.store,
      lease: async (key, holder) => {
        holders.set(key, holder);
        return true;
      },
      leaseHolder: async (key) => holders.get(key),
      release: async () => undefined,
    };
  };

  it("make one comment when both show a thread for the first time", async () => {
    slow();
    const id = await thread({ status: "running" });

    await Promise.all([process().show(id), process().show(id)]);

    expect(made()).toBe(1);
    expect(bodies()).toHaveLength(1);
  });

  it("end with one comment when both took themselves for the first", async () => {
    slow();
    const id = await thread({ status: "running" });

    await Promise.all([process(withoutLeases()).show(id), process(withoutLeases()).show(id)]);

    expect(made()).toBe(2);
    expect([...forge.comments.keys()]).toEqual([1]);
    expect(await temporary.store.link(id, "comment")).toBe("1");
  });

  it("make a deleted comment again once", async () => {
    slow();
    const id = await thread({ status: "running" });
    await process().show(id);
    forge.comments.clear();
    await temporary.store.advance(id, {}, { status: "completed" });

    await Promise.all([process().show(id), process().show(id)]);

    expect(bodies()).toEqual([expect.stringContaining("**Done.**")]);
    expect(made()).toBe(2);
  });

  it("catch up one at a time", async () => {
    slow();
    await thread({ status: "cancelled", reason: "Too hard." });
    await thread({ status: "completed" });

    await Promise.all([process().catchUp(), process().catchUp(), process().catchUp()]);

    expect([made(), forge.comments.size]).toEqual([2, 2]);
    expect(forge.called).not.toContain("updateComment");
  });

  it("leave the last state, also when an edit with an older one comes late", async () => {
    const id = await thread({ status: "queued" });
    const [late, other] = [process(), process()];
    await late.show(id);
    let held = true;
    const { updateComment } = forge;
    forge.updateComment = async (comment, body) => {
      if (held) {
        held = false;
        await temporary.store.advance(id, {}, { status: "completed" });
        await other.show(id);
      }
      await updateComment(comment, body);
    };

    await temporary.store.advance(id, {}, { status: "running" });
    await late.show(id);

    expect(bodies()).toEqual([expect.stringContaining("**Done.**")]);
    expect(await temporary.store.link(id, "reported")).toContain("completed");
  });
});
