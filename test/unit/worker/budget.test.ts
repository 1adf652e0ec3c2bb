import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Usage } from "../../../src/store/payload.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { reserveBudget, settleBudget } from "../../../src/worker/budget.ts";
import type { MonthlyLimits } from "../../../src/worker/budget-accounts.ts";
import {
  noUsage,
  stepFixture,
  type ThreadFixture,
  threadFixture,
  threadRecord,
} from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const none: MonthlyLimits = { actorUsd: null, repositoryUsd: null, organisationUsd: null, totalUsd: null };
const source = {
  forge: "github" as const,
  repository: "Acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It fails", url: null },
  requester: { login: "Mona", id: 1 },
  installationId: 17,
};
const minute = 60_000;
const usageOf = (costUsd: number): Usage => ({ ...noUsage, inputTokens: 1, costUsd });

let temporary: TemporaryStore;
let now: number;
beforeEach(() => {
  temporary = temporaryStore();
  now = Date.parse("2026-11-20T12:00:00Z");
});
afterEach(() => temporary.dispose());

const parts = (limits: Partial<MonthlyLimits>) => ({
  engine: { store: temporary.store, now: () => now },
  monthly: { ...none, ...limits },
});

type Begun = { fixture: ThreadFixture; id: ThreadRecord["id"] };

const begin = async ({ budgetUsd = 5 as number | null, ...place } = {}): Promise<Begun> => {
  const fixture = threadFixture({
    source: { ...source, ...place },
    limits: { pauseAfterRounds: 40, budgetUsd, budgetTokens: null },
  });
  const record = threadRecord(fixture, { createdAt: now, grantedAt: 0 });
  await temporary.store.createThread(record, fixture.nodes);
  return { fixture, id: record.id };
};

const recordOf = async ({ id }: Begun): Promise<ThreadRecord> =>
  (await temporary.store.thread(id)) ?? expect.fail("no such thread");

/** A minute passes, in which a step is finished for so much. */
const spend = async (thread: Begun, usd: number): Promise<void> => {
  now += minute;
  const { head, start } = await recordOf(thread);
  const prev = head === start ? null : head;
  const value = { at: now };
  const fields = { usage: usageOf(usd), startedAt: now - 1, finishedAt: now };
  const { step, nodes } = stepFixture(thread.fixture, prev, value, fields);
  await temporary.store.advance(thread.id, { head }, { head: step.hash }, nodes);
};

const reply = (prev: Hash | null, usd: number): Node<"turn"> =>
  makeNode("turn", {
    kind: "reply",
    prev,
    model: "scripted",
    content: "",
    reasoning: null,
    toolCalls: [],
    finish: "stop",
    usage: usageOf(usd),
    at: now,
    ms: 1,
  });

/** A minute passes, in which a model answers for so much in a step that goes on. */
const answer = async (thread: Begun, usd: number): Promise<void> => {
  now += minute;
  const { tip } = await recordOf(thread);
  const turn = reply(tip, usd);
  await temporary.store.advance(thread.id, { tip }, { tip: turn.hash }, [turn]);
};

/** A minute passes, and the thread is stopped in the middle of its step, then let go on with a fresh budget. */
const stopAndResume = async (thread: Begun): Promise<void> => {
  now += minute;
  const { tip, start } = await recordOf(thread);
  const end = makeNode("thread-end", {
    start,
    prev: null,
    status: "cancelled",
    reason: null,
    turns: tip,
    workspace: null,
    at: now,
  });
  await temporary.store.advance(thread.id, { tip }, { tip: null, head: end.hash, status: "cancelled" }, [
    end,
  ]);
  await settleBudget(parts({ totalUsd: 20 }), await recordOf(thread));
  now += minute;
  await temporary.store.advance(thread.id, { tip: null }, { status: "queued", grantedAt: now });
};

const reserve = async (thread: Begun, limits: Partial<MonthlyLimits> = { totalUsd: 20 }) =>
  reserveBudget(parts(limits), await recordOf(thread));
const settle = async (thread: Begun, limits: Partial<MonthlyLimits> = { totalUsd: 20 }) =>
  settleBudget(parts(limits), await recordOf(thread));
const used = (account = "total", period = "2026-11") => temporary.store.reserved(account, period);

describe("before a thread runs", () => {
  it("sets aside what it may spend", async () => {
    expect(await reserve(await begin())).toBeNull();

    expect(await used()).toBe(5);
  });

  it("sets it aside once, however often it begins", async () => {
    const thread = await begin();

    for (let again = 0; again < 3; again++) await reserve(thread);

    expect(await used()).toBe(5);
  });

  it("sets it aside in each account that has a limit", async () => {
    await reserve(await begin(), { actorUsd: 10, repositoryUsd: 10, organisationUsd: 10 });

    const accounts = ["actor/github/mona", "repository/github/17/Acme/parser", "organisation/github/17/acme"];
    expect(await Promise.all(accounts.map((account) => used(account)))).toEqual([5, 5, 5]);
    expect(await used("total")).toBe(0);
  });

  it("sets the operator's work aside as one person's", async () => {
    await reserve(await begin({ requester: null, operator: true } as object), { actorUsd: 10 });

    expect(await used("operator/github")).toBe(5);
  });

  it("sets nothing aside where there is no limit", async () => {
    const thread = await begin();
    expect(await reserve(thread, {})).toBeNull();
    expect(await reserveBudget({ ...parts({}), monthly: null }, await recordOf(thread))).toBeNull();

    expect(await temporary.store.links(thread.id)).toEqual({});
  });

  it("sets nothing aside for a repository on no forge", async () => {
    expect(await reserve(await begin({ forge: "local" } as object), { totalUsd: 1 })).toBeNull();

    expect(await used()).toBe(0);
  });

  it("counts what it has spent this month, and what it may spend once more", async () => {
    const thread = await begin();
    await spend(thread, 3);
    await temporary.store.advance(thread.id, {}, { grantedAt: now });

    await reserve(thread);

    expect(await used()).toBe(8);
  });

  it("leaves out what its budget has no room for any more", async () => {
    const thread = await begin();
    await spend(thread, 3);

    await reserve(thread);

    expect(await used()).toBe(5);
  });
});

describe("a thread for which there is no room", () => {
  it("is told whose limit it is, and how much of it is used", async () => {
    for (let n = 0; n < 3; n++) await reserve(await begin(), { actorUsd: 17 });

    expect(await reserve(await begin(), { actorUsd: 17 })).toBe(
      "$15.00 of the $17.00 for what Mona asks for in 2026-11 is used or set aside, and this work may cost another $5.00. /resume goes on when there is room.",
    );
    expect(await used("actor/github/mona")).toBe(15);
  });

  it.each<[Partial<MonthlyLimits>, string]>([
    [{ repositoryUsd: 4 }, "for all work in Acme/parser in 2026-11"],
    [{ organisationUsd: 4 }, "for all work for Acme in 2026-11"],
    [{ totalUsd: 4 }, "for all work of this server in 2026-11"],
  ])("is told by %o", async (limits, text) => {
    expect(await reserve(await begin(), limits)).toContain(text);
  });

  it("may begin as soon as another gives back what it has not spent", async () => {
    const [first, second] = [await begin(), await begin()];
    await reserve(first, { totalUsd: 6 });
    expect(await reserve(second, { totalUsd: 6 })).not.toBeNull();

    await spend(first, 1);
    await settle(first);

    expect(await reserve(second, { totalUsd: 6 })).toBeNull();
  });

  it("keeps what it has spent itself", async () => {
    const thread = await begin();
    await reserve(thread);
    await spend(thread, 2);

    expect(await reserve(thread, { totalUsd: 4 })).not.toBeNull();

    expect(await used()).toBe(2);
  });

  it("may not begin without a budget of its own", async () => {
    expect(await reserve(await begin({ budgetUsd: null }))).toBe(
      "$0.00 of the $20.00 for all work of this server in 2026-11 is used or set aside, and this work has no budget of its own, without which it may not begin.",
    );
  });
});

describe("once a thread stands still", () => {
  it("has used what its steps cost", async () => {
    const thread = await begin();
    await reserve(thread);
    await spend(thread, 1);
    await spend(thread, 0.5);

    await settle(thread);
    await settle(thread);

    expect(await used()).toBe(1.5);
  });

  it("has used what the step under way has cost", async () => {
    const thread = await begin();
    await reserve(thread);
    await answer(thread, 0.25);
    await answer(thread, 0.25);

    await settle(thread);

    expect(await used()).toBe(0.5);
  });

  it("adds up what each of its runs has cost", async () => {
    const thread = await begin();
    for (const usd of [1, 2]) {
      await reserve(thread);
      await spend(thread, usd);
      await settle(thread);
    }

    expect(await used()).toBe(3);
  });

  it("does not forget what was spent before it was stopped and begun again", async () => {
    const thread = await begin();
    for (let again = 0; again < 3; again++) {
      await reserve(thread);
      await answer(thread, 2);
      await stopAndResume(thread);
    }

    expect(await used()).toBe(6);
  });

  it("counts what a worker has spent that died before it could say so", async () => {
    const thread = await begin();
    await reserve(thread);
    await answer(thread, 2);

    await reserve(thread);
    await answer(thread, 1);
    await settle(thread);

    expect(await used()).toBe(3);
  });

  it("changes nothing for a thread for which nothing was set aside", async () => {
    const thread = await begin();
    await spend(thread, 1);

    await settle(thread);

    expect(await used()).toBe(0);
  });
});

describe("a new month", () => {
  const december = Date.parse("2026-12-01T00:00:10Z");

  it("has room again, with what was spent before left in the month before", async () => {
    const thread = await begin();
    await reserve(thread);
    await spend(thread, 2);
    await settle(thread);

    now = december;
    await reserve(thread);

    expect(await used("total", "2026-11")).toBe(2);
    expect(await used("total", "2026-12")).toBe(3);
  });

  it("leaves a run in the month in which it began", async () => {
    const thread = await begin();
    now = december - minute;
    await reserve(thread);
    await spend(thread, 2);

    await settle(thread);

    expect([await used("total", "2026-11"), await used("total", "2026-12")]).toEqual([2, 0]);
  });

  it("takes over from a worker that died in the month before", async () => {
    const thread = await begin();
    await reserve(thread);
    await spend(thread, 2);

    now = december;
    await reserve(thread);

    expect([await used("total", "2026-11"), await used("total", "2026-12")]).toEqual([2, 3]);
  });
});

it("does not count the steps that a fork shares with its origin", async () => {
  const origin = await begin();
  await spend(origin, 3);
  const { head } = await recordOf(origin);
  now += minute;
  const fork = threadRecord(origin.fixture, { head, createdAt: now, grantedAt: now });
  await temporary.store.createThread(fork, []);

  await reserveBudget(parts({ totalUsd: 20 }), fork);

  expect(await used()).toBe(5);
});
