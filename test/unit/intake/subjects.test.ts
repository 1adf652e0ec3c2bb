import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noticeMarker } from "../../../src/forge/text/notice.ts";
import { handleChecks, isOwnCommit } from "../../../src/intake/checks.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import { clearNotice, tell } from "../../../src/intake/notices.ts";
import { threadsAbout } from "../../../src/intake/subjects.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { askedOf, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const ISSUE = "github/17/acme/parser#12";
const PULL = "github/17/acme/parser#13";
const COMMIT = "c".repeat(40);

let temporary: TemporaryStore;
let forge: FakeForge;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
});
afterEach(() => temporary.dispose());

const aThread = async (more: Partial<ThreadRecord>): Promise<ThreadRecord> => {
  const fixture = threadFixture();
  const record = threadRecord(fixture, more);
  await temporary.store.createThread(record, fixture.nodes);
  return record;
};
/** The thread of issue 12, which opened pull request 13 with `COMMIT`. */
const solved = async (more: Partial<ThreadRecord> = {}): Promise<ThreadRecord> => {
  const record = await aThread({ subject: ISSUE, createdAt: 10, status: "completed", ...more });
  await temporary.store.setLink(record.id, "pull-subject", PULL);
  await temporary.store.setLink(record.id, "pull-request", JSON.stringify({ number: 13 }));
  await temporary.store.setLink(record.id, "commit", `github/17/acme/parser@${COMMIT}`);
  return record;
};

describe("threadsAbout", () => {
  it("answers those that work on it and those whose pull request it is, once each, newest first", async () => {
    const [old, follow] = [await solved(), await aThread({ subject: PULL, createdAt: 20 })];
    await temporary.store.setLink(follow.id, "pull-subject", PULL);
    const newest = await aThread({ subject: PULL, createdAt: 30 });
    await aThread({ subject: ISSUE, createdAt: 40 });

    const found = await threadsAbout(temporary.store, PULL);

    expect(found.map(({ id }) => id)).toEqual([newest.id, follow.id, old.id]);
  });

  it("answers nothing for what nobody worked on", async () => {
    await solved();

    expect(await threadsAbout(temporary.store, "github/17/acme/parser#1")).toEqual([]);
  });
});

describe("what somebody is told", () => {
  const parts = () => intakeParts({ store: temporary.store, forge });
  const said = (number: number, text = "no") =>
    tell(parts(), askedOf(forge), { number, notice: { to: "mona", text } });

  it("stands in the comment of the newest thread there", async () => {
    const thread = await solved();
    const all = parts();

    await tell(all, askedOf(forge), { number: 12, notice: { to: "mona", text: "no" } });

    expect(await temporary.store.link(thread.id, "notice")).toBe('{"to":"mona","text":"no"}');
    expect([all.refreshed, forge.comments.size]).toEqual([[thread.id], 0]);
  });

  it("stands on the pull request when it was asked there, not on the issue that it came from", async () => {
    const thread = await solved();

    await said(13);

    expect(await temporary.store.link(thread.id, "notice")).toBeUndefined();
    expect([...forge.comments.values()]).toEqual([{ issue: 13, body: `${noticeMarker}\nTo \`mona\`: no` }]);
  });

  it("stands in one comment where no thread is, which the next answer replaces", async () => {
    await said(7, "first");
    await said(7, "second");
    await said(7, "second");

    expect([...forge.comments.values()].map(({ body }) => body)).toEqual([
      `${noticeMarker}\nTo \`mona\`: second`,
    ]);
    expect(forge.called.filter((name) => name === "updateComment")).toHaveLength(1);
  });

  it("is taken back", async () => {
    const thread = await solved();
    await said(12);
    const all = parts();

    await clearNotice(all, thread.id);

    expect([await temporary.store.link(thread.id, "notice"), all.refreshed]).toEqual(["", [thread.id]]);
  });
});

describe("checks that finished", () => {
  const about = { ...PLACE, defaultBranch: "main", sender: { login: "ci", id: 3, isBot: true } };
  const event = { ...about, kind: "checks-finished", commit: COMMIT, branch: null, passed: true } as const;
  const parts = () => intakeParts({ store: temporary.store, forge });
  const deliver = (body: object) =>
    temporary.store.addDeliveries([
      { id: "d1", forge: "github", event: "check_suite", body: JSON.stringify(body), receivedAt: RECEIVED },
    ]);
  const handle = () => handleDelivery(parts(), "d1", new AbortController().signal);
  const pullIs = (more: object) => {
    const pull = {
      number: 13,
      url: "https://forge/pull/13",
      branch: "uwf/a",
      draft: true,
      state: "open",
    } as const;
    forge.pulls.push({ ...pull });
    forge.details.set(13, { head: { commit: COMMIT, repository: "acme/parser" }, ...more });
  };

  it("lead to no question to the forge when no thread has pushed the commit", async () => {
    const forges = { open: () => Promise.reject(new Error("no test opens a repository")) };
    await deliver({ ...event, commit: "d".repeat(40) });

    await handleDelivery({ ...parts(), forges }, "d1", new AbortController().signal);

    expect([forge.called, await temporary.store.pendingDeliveries(9)]).toEqual([[], []]);
  });

  it("make a draft ready that waited for them", async () => {
    await solved();
    pullIs({});
    forge.checksOf.set(COMMIT, { state: "success", failed: [] });
    await deliver(event);

    await handle();

    expect(forge.pulls[0]?.draft).toBe(false);
  });

  it.each([
    ["work that stopped half-way", { status: "paused" }, {}, {}],
    ["a repository that keeps drafts", {}, { draft: "always" }, {}],
    [
      "a commit that is not the last any more",
      {},
      {},
      { head: { commit: "e".repeat(40), repository: "acme/parser" } },
    ],
    ["a pull request of somebody else", {}, {}, { isOwn: false }],
  ])("leave a draft as it is: %s", async (_, record, settings, details) => {
    await solved(record as Partial<ThreadRecord>);
    pullIs(details);
    forge.checksOf.set(COMMIT, { state: "success", failed: [] });

    await handleChecks(parts(), askedOf(forge, settings), event);

    expect(forge.called).not.toContain("setDraft");
  });

  it("are of the bot's own commits only where a thread pushed them", async () => {
    await solved();

    expect([
      await isOwnCommit(parts(), event),
      await isOwnCommit(parts(), { ...event, commit: "d".repeat(40) }),
      await isOwnCommit(parts(), { ...event, repository: "acme/other" }),
    ]).toEqual([true, false, false]);
  });

  it("are not handled once more when a worker is called again", async () => {
    await solved();
    pullIs({});
    forge.checksOf.set(COMMIT, { state: "success", failed: [] });
    await deliver(event);
    await handle();
    forge.called.length = 0;

    await handle();

    expect(forge.called).toEqual([]);
  });
});
