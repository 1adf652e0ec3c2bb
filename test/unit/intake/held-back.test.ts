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
const succeed = () =>
  handleChecks(intakeParts({ store: temporary.store, forge }), askedOf(forge), {
    ...PLACE,
    kind: "checks-finished",
    sender: { login: "ci", id: 3, isBot: true },
    defaultBranch: "main",
    commit: COMMIT,
    branch: null,
    passed: true,
  });
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

  it("is made ready when a fork only worked on it", async () => {
    await thread(WRITTEN);
    await thread({}, { fork: "other" });
    await succeed();
    expect(forge.pulls[0]?.draft).toBe(false);
  });
});
