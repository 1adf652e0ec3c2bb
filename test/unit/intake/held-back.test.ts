import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { handleChecks } from "../../../src/intake/checks.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { askedOf, intakeParts, PLACE } from "../../fixtures/intake-parts.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const COMMIT = "c".repeat(40);
const SUBJECT = "github/17/acme/parser#1";

let temporary: TemporaryStore;
let forge: FakeForge;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
  forge.pulls.push({ number: 1, url: "", branch: "uwf/x", draft: true, state: "open" });
  forge.checksOf.set(COMMIT, { state: "success", failed: [] });
});
afterEach(() => temporary.dispose());

/** A completed thread that has to do with pull request 1. */
const thread = async (link: object, { fork }: { fork?: string } = {}): Promise<string> => {
  const fixture = threadFixture();
  const record = threadRecord(fixture, { id: newThreadId(), status: "completed" });
  const { store } = temporary;
  await store.createThread(record, fixture.nodes);
  await store.setLink(record.id, "pull-subject", SUBJECT);
  await store.setLink(record.id, "pull-request", JSON.stringify({ number: 1, ...link }));
  if (fork !== undefined) await store.setLink(record.id, "fork", fork);
  await store.setLink(record.id, "commit", `github/17/acme/parser@${COMMIT}`);
  return record.id;
};
/** Answers the threads whose comments are brought up to date. */
const finish = async ({ passed }: { passed: boolean }) => {
  const parts = intakeParts({ store: temporary.store, forge });
  await handleChecks(parts, askedOf(forge), {
    ...PLACE,
    kind: "checks-finished",
    sender: { login: "ci", id: 3, isBot: true },
    defaultBranch: "main",
    commit: COMMIT,
    branch: null,
    passed,
  });
  return parts.refreshed;
};
const succeed = () => finish({ passed: true });
const WRITTEN = { written: { title: "x", body: "y" } };

describe("a draft whose checks pass", () => {
  it("is made ready", async () => {
    await thread(WRITTEN);
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(false);
  });

  it("stays one while the work that opened it has stopped half-way, also when a follow-up mended its checks", async () => {
    await thread({ ...WRITTEN, partial: true });
    await thread({});
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(true);
  });

  it("stays one when a fork opened it", async () => {
    await thread(WRITTEN, { fork: "other" });
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(true);
  });

  it("stays one when a person has made it one again", async () => {
    await thread({ ...WRITTEN, draft: true });
    await succeed();
    forge.pulls.splice(0, 1, { number: 1, url: "", branch: "uwf/x", draft: true, state: "open" });
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(true);
  });

  it("is told of as ready from then on", async () => {
    const id = await thread({ ...WRITTEN, draft: true });
    expect(await succeed()).toEqual([id]);
    expect(await temporary.store.link(id as never, "pull-request")).toContain('"draft":false');
  });

  it("waits for the work that pushed its commit, and may open it only now", async () => {
    const id = await thread(WRITTEN);
    await temporary.store.advance(id as never, {}, { status: "running" });
    await expect(succeed()).rejects.toMatchObject({ code: "subject-busy", remedy: "retry" });
  });

  it("is made ready when a fork only worked on it", async () => {
    await thread(WRITTEN);
    await thread({}, { fork: "other" });
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(false);
  });
});

describe("a check that failed", () => {
  it("asks the forge nothing while other work is under way on the pull request", async () => {
    await thread(WRITTEN);
    const fixture = threadFixture();
    await temporary.store.createThread(threadRecord(fixture, { subject: SUBJECT }), fixture.nodes);

    await expect(finish({ passed: false })).rejects.toMatchObject({ code: "subject-busy" });
    expect(forge.called).toEqual([]);
  });
});
