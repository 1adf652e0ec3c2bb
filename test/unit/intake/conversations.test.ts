import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Commented, RepositoryEvent } from "../../../src/forge/events.ts";
import { actors } from "../../../src/intake/actors.ts";
import { hearComment, isSaidInConversation } from "../../../src/intake/conversations.ts";
import { handleLabelled } from "../../../src/intake/labels.ts";
import type { IntakeParts } from "../../../src/intake/parts.ts";
import { stampOf, type ThreadRecord } from "../../../src/store/store.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, askedOf, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const about = {
  ...PLACE,
  defaultBranch: "main",
  sender: { login: "mona", id: 1, isBot: false },
  issue: anIssue({ title: "Sort new issues" }),
};
const comment = (body: string, more: Partial<Commented> & { id?: number } = {}): Commented => {
  const { id = 7, ...others } = more;
  return { ...about, kind: "commented", comment: { id, body, url: "", at: RECEIVED }, ...others };
};

describe("a comment that holds no command", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let parts: IntakeParts;
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    parts = intakeParts({ store: temporary.store, forge });
  });
  afterEach(() => temporary.dispose());

  /** Work that was begun by a label, and stands so. */
  const begun = async (status: ThreadRecord["status"] = "suspended", label = "uwf:design") => {
    const event = { ...about, kind: "issue-labelled" as const, label };
    const thread = await handleLabelled(parts, askedOf(forge), event);
    if (thread === undefined) throw new Error("nothing began");
    return stands(thread, status);
  };
  const stands = async ({ id }: ThreadRecord, status: ThreadRecord["status"]): Promise<ThreadRecord> => {
    const changed = await temporary.store.advance(id, {}, { status });
    if (changed === undefined) throw new Error("the thread is gone");
    return changed;
  };
  const now = async ({ id }: ThreadRecord) => temporary.store.thread(id);
  const hear = (event: Commented, delivery = `d-${event.comment.id}`) =>
    hearComment(parts, askedOf(forge, {}, delivery), event);
  const told = async ({ id }: ThreadRecord) => (await temporary.store.link(id, "notice")) ?? "";

  it("lets the conversation go on with what people see of it", async () => {
    const thread = await begun();

    const heard = await hear(comment("  Bugs <!-- and their reporters --> alone  "));

    expect(heard).toMatchObject({ id: thread.id, status: "queued", note: "Bugs  alone" });
    expect(forge.reactions.at(-1)).toContain("eyes");
  });

  it("is heard once, however often it is delivered", async () => {
    const thread = await begun();
    await hear(comment("Bugs"));
    await stands(thread, "suspended");

    expect(await hear(comment("Bugs"), "again")).toBeUndefined();
    expect(await now(thread)).toMatchObject({ status: "suspended" });
    expect(await hear(comment("Bugs", { id: 8 }))).toMatchObject({ status: "queued" });
  });

  it("is heard when a process died before it could say so to the thread", async () => {
    const thread = await begun();
    const noted = JSON.stringify([{ comment: 7, stamp: stampOf(thread) }]);
    await temporary.store.setLink(thread.id, "heard", noted);

    expect(await hear(comment("Bugs"))).toMatchObject({ status: "queued", note: "Bugs" });
  });

  it.each(["queued", "running"] as const)("waits while a turn is %s", async (status) => {
    await begun(status);

    await expect(hear(comment("Bugs"))).rejects.toMatchObject({ code: "subject-busy", remedy: "retry" });
  });

  it("is passed over while a turn runs when its author may only read: a stranger's does not wait", async () => {
    await begun("running");
    forge.permissionIs = "read";
    forge.called.length = 0;

    for (let id = 1; id <= 300; id++) expect(await hear(comment("Bugs", { id }))).toBeUndefined();

    expect(forge.called.filter((name) => name === "permission")).toHaveLength(1);
  });

  it("waits without asking the forge again and again, and is asked about when its turn has come", async () => {
    const thread = await begun("running");
    forge.called.length = 0;
    const busy = { code: "subject-busy" };
    for (let tries = 0; tries < 5; tries++) await expect(hear(comment("Bugs"))).rejects.toMatchObject(busy);
    expect(forge.called.filter((name) => name === "permission")).toHaveLength(1);
    forge.permissionIs = "read";
    await stands(thread, "suspended");

    expect(await hear(comment("Bugs"))).toBeUndefined();

    expect(await now(thread)).toMatchObject({ status: "suspended" });
  });

  it("does not wait but is answered when its author has asked for too much", async () => {
    const thread = await begun("running");
    const { heardPerHour } = parts.config.limits.perActor;
    parts.actors = actors({ hear: async () => false }, { heardPerHour }, () => RECEIVED);

    expect(await hear(comment("Bugs"))).toBeUndefined();

    expect(await told(thread)).toContain(`${heardPerHour} things within an hour`);
  });

  it.each([
    [0, 2_000],
    [16_000, 2_000],
    [40_000, 5_000],
    [3_600_000, 10_000],
  ])("that has waited for %i ms waits for another %i", async (waited, retryAfterMs) => {
    await begun("queued");
    parts.engine.now = () => RECEIVED + waited;

    await expect(hear(comment("Bugs"))).rejects.toMatchObject({ code: "subject-busy", retryAfterMs });
  });

  it("waits for one that is heard at the same moment", async () => {
    const thread = await begun();

    const both = await Promise.allSettled([hear(comment("Bugs")), hear(comment("Questions", { id: 8 }))]);

    expect(both.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "subject-busy" } },
    ]);
    await stands(thread, "suspended");
    const again = await Promise.all([hear(comment("Bugs")), hear(comment("Questions", { id: 8 }))]);
    expect(again.filter((heard) => heard !== undefined)).toHaveLength(1);
  });

  it("is passed over in silence when its author may only read, who is not asked about again at once", async () => {
    const thread = await begun();
    forge.permissionIs = "read";
    const reactions = forge.reactions.length;
    forge.called.length = 0;

    for (const id of [7, 8]) expect(await hear(comment("Bugs", { id }))).toBeUndefined();

    expect(await now(thread)).toMatchObject({ status: "suspended" });
    expect(forge.called.filter((name) => name === "permission")).toHaveLength(1);
    expect(forge.reactions).toHaveLength(reactions);
    expect(await told(thread)).toBe("");
  });

  it("is answered when it is too long", async () => {
    const thread = await begun();

    expect(await hear(comment("x".repeat(20_001)))).toBeUndefined();

    expect(await told(thread)).toContain("20,001 characters, and a conversation takes 20,000");
    expect(await now(thread)).toMatchObject({ status: "suspended" });
  });

  it("is answered when whoever asked for the work may not write any more", async () => {
    const thread = await begun();
    forge.permissionIs = "write";
    const { permission } = forge;
    const partly: FakeForge = {
      ...forge,
      permission: async (login) => (login === "mona" ? "read" : permission(login)),
    };
    const sender = { login: "lena", id: 2, isBot: false };

    await hearComment(parts, askedOf(partly), comment("Bugs", { sender }));

    expect(await told(thread)).toContain("nothing of it would be published");
  });

  it.each([
    "The thread's budget of $2.00 is spent ($2.01).",
    "Paused after 40 steps for a person to judge.",
    "$50.00 of the $50.00 for `mona` in 2027-01 is used or set aside, and this work may cost another $2.00.",
  ])("lets a conversation go on that stands at a limit: %s", async (reason) => {
    const thread = await begun("paused");
    await temporary.store.advance(thread.id, {}, { reason });

    expect(await hear(comment("Bugs"))).toMatchObject({ status: "queued", note: "Bugs", reason: null });
  });

  it("comes behind what no turn has taken yet", async () => {
    const thread = await begun("paused");
    await temporary.store.advance(thread.id, {}, { note: "Bugs alone" });

    expect(await hear(comment("And questions"))).toMatchObject({ note: "Bugs alone\n\nAnd questions" });
  });

  it.each(["Paused by mona.", "Paused by a person."])("is answered while it is %s", async (reason) => {
    const thread = await begun("paused");
    await temporary.store.advance(thread.id, {}, { reason });

    expect(await hear(comment("Bugs"))).toBeUndefined();

    expect(await now(thread)).toMatchObject({ status: "paused", reason });
    expect(await told(thread)).toContain("The conversation is paused");
  });

  it("is passed over in silence when its author may only read, however the conversation stands", async () => {
    const thread = await begun("paused");
    await temporary.store.advance(thread.id, {}, { reason: "Paused by mona." });
    forge.permissionIs = "read";

    expect(await hear(comment("Bugs"))).toBeUndefined();

    expect(await told(thread)).toBe("");
  });

  it.each<[string, Parameters<typeof begun>, Commented]>([
    ["nothing can be seen of it", ["suspended"], comment("<!-- nothing -->")],
    ["it has ended", ["completed"], comment("Thanks!")],
    ["other work waits there", ["suspended", "uwf"], comment("Bugs")],
    [
      "it stands on a pull request",
      ["suspended"],
      comment("Bugs", { issue: anIssue({ isPullRequest: true }) }),
    ],
  ])("leads to nothing where %s", async (_, [status, label], event) => {
    const thread = await begun(status, label);

    expect(await hear(event)).toBeUndefined();

    expect(await now(thread)).toMatchObject({ status });
    expect(await told(thread)).toBe("");
  });

  it.each<[string, boolean, Partial<Commented>]>([
    ["a person there", true, {}],
    ["a bot", false, { sender: { login: "ci[bot]", id: 3, isBot: true } }],
    ["a person elsewhere", false, { issue: anIssue({ number: 13 }) }],
    ["a person in another repository", false, { repository: "acme/other" }],
    ["a person in another installation", false, { installationId: 18 }],
  ])("of %s is kept for a conversation: %s", async (_, isKept, more) => {
    await begun("running");
    const event: RepositoryEvent = comment("Bugs", more);

    expect(await isSaidInConversation(temporary.store, event)).toBe(isKept);
  });
});
