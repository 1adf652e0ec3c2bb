import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InstallationChanged, Reviewed } from "../../../src/forge/events.ts";
import type { ReviewThread } from "../../../src/forge/forge.ts";
import { handleInstallation } from "../../../src/intake/installations.ts";
import { handleReview } from "../../../src/intake/reviews.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, askedOf, intakeParts, PLACE } from "../../fixtures/intake-parts.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let forge: FakeForge;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
});
afterEach(() => temporary.dispose());

const mona = { login: "mona", id: 1, isBot: false };
const parts = () => intakeParts({ store: temporary.store, forge });
const input = async (thread: ThreadRecord | undefined) =>
  thread === undefined ? null : (await temporary.store.load("thread-start", thread.start)).input;

describe("a review", () => {
  const open: ReviewThread = {
    ...{ id: "T1", path: "src/a.ts", line: 3, diffHunk: null, isResolved: false },
    comments: [{ author: "mona", isOwn: false, body: "Why?", at: 1 }],
  };
  const review = (more: Partial<Reviewed["review"]> = {}, sender = mona) =>
    handleReview(parts(), askedOf(forge), {
      ...{ ...PLACE, kind: "reviewed", defaultBranch: "main", sender },
      issue: anIssue({ number: 1, isPullRequest: true }),
      review: { id: 9, verdict: "commented", body: "", url: "", ...more },
    });
  beforeEach(async () => {
    const draft = { branch: "uwf/a", base: "main", title: "", body: "", draft: false, reviewers: [] };
    await forge.createPullRequest(draft);
  });

  it("is work when conversations are open", async () => {
    forge.threads.push(open);

    const thread = await review({ verdict: "approved" });

    expect(thread).toMatchObject({ workflow: "address-review", subject: "github/17/acme/parser#1" });
    expect(await input(thread)).toMatch(
      /Conversation T1 on src\/a\.ts, line 3:\n\n<instruction id="\w+" of="a comment" by="mona">\nWhy\?\n/,
    );
  });

  it("is work when its own words ask for something", async () => {
    expect(await input(await review({ verdict: "changes-requested", body: "Test it." }))).toMatch(
      /<instruction id="\w+" of="a review" by="mona">\nTest it\.\n/,
    );
  });

  it.each([
    ["it says nothing", {}],
    ["it approves with a word of thanks", { verdict: "approved", body: "Thanks!" } as const],
  ])("is no work when %s", async (_, more) => {
    expect(await review(more)).toBeUndefined();
  });

  it.each([
    ["another's pull request", { isOwn: false }],
    ["a closed one", { state: "closed" as const }],
    ["one whose branch is elsewhere", { head: { commit: "c".repeat(40), repository: "fork/parser" } }],
  ])("is no work on %s", async (_, details) => {
    forge.threads.push(open);
    forge.details.set(1, details);

    expect(await review({ body: "Test it." })).toBeUndefined();
  });

  it("is no work of a bot's, or of somebody's who may not write", async () => {
    forge.threads.push(open);

    expect(await review({ body: "Test it." }, { ...mona, isBot: true })).toBeUndefined();
    forge.permissionIs = "read";
    expect(await review({ body: "Test it." })).toBeUndefined();
  });

  it("waits for its turn while other work is under way there, and asks the forge nothing meanwhile", async () => {
    await review({ body: "Test it." });
    forge.called.length = 0;
    const later = handleReview(parts(), askedOf(forge, {}, "d2"), {
      ...{ ...PLACE, kind: "reviewed", defaultBranch: "main", sender: mona },
      issue: anIssue({ number: 1, isPullRequest: true }),
      review: { id: 10, verdict: "commented", body: "And this.", url: "" },
    });

    await expect(later).rejects.toMatchObject({
      code: "subject-busy",
      remedy: "retry",
      retryAfterMs: 30_000,
    });
    expect(forge.called).toEqual([]);
  });

  it("is answered while other work there waits for a person, who may never come", async () => {
    const first = await review({ body: "Test it." });
    if (first !== undefined) await temporary.store.advance(first.id, {}, { status: "paused" });
    const later = handleReview(parts(), askedOf(forge, {}, "d2"), {
      ...{ ...PLACE, kind: "reviewed", defaultBranch: "main", sender: mona },
      issue: anIssue({ number: 1, isPullRequest: true }),
      review: { id: 10, verdict: "commented", body: "And this.", url: "" },
    });

    expect(await later).toBeUndefined();
    expect(await temporary.store.link(first?.id ?? ("" as never), "notice")).toContain(
      "Work is under way here already (it is paused).",
    );
  });
});

describe("an installation that changed", () => {
  const thread = async (more: Partial<ThreadRecord>) => {
    const fixture = threadFixture();
    const record = threadRecord(fixture, { installation: "github/17", ...more });
    await temporary.store.createThread(record, fixture.nodes);
    return record.id;
  };
  const change = (more: Partial<InstallationChanged>) =>
    handleInstallation(parts(), {
      ...{ forge: "github", installationId: 17, sender: mona, kind: "installation-changed" },
      ...{ account: "acme", change: "removed", repositories: null, ...more },
    });
  const statuses = async () =>
    Object.fromEntries((await temporary.store.threads({ limit: 9 })).map(({ id, status }) => [id, status]));

  it("ends the threads of an installation that was removed, and no others", async () => {
    const ours = [await thread({}), await thread({ status: "suspended" })];
    const [done, other] = [
      await thread({ status: "completed" }),
      await thread({ installation: "github/18" }),
    ];

    await change({});

    const after = await statuses();
    expect(ours.map((id) => after[id])).toEqual(["cancelled", "cancelled"]);
    expect([after[done], after[other]]).toEqual(["completed", "queued"]);
  });

  it("ends them all, however many there are", async () => {
    for (let index = 0; index <= 100; index++) await thread({});

    await change({});

    expect(await temporary.store.threads({ status: ["queued"], limit: 1 })).toEqual([]);
  });

  it("ends the threads of repositories that were taken out", async () => {
    const gone = await thread({ repository: "github/17/acme/parser" });
    const stays = await thread({ repository: "github/17/acme/lexer" });

    await change({ repositories: ["acme/parser"] });

    const after = await statuses();
    expect([after[gone], after[stays]]).toEqual(["cancelled", "queued"]);
  });

  it("ends nothing when repositories are added", async () => {
    const ours = await thread({});

    await change({ change: "added" });

    expect((await statuses())[ours]).toBe("queued");
  });
});
