import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import type { RepositoryEvent } from "../../../src/forge/events.ts";
import { actors } from "../../../src/intake/actors.ts";
import { isSaidInConversation } from "../../../src/intake/conversations.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import type { IntakeParts } from "../../../src/intake/parts.ts";
import { receiver } from "../../../src/intake/receive.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const LIMITS = { underWay: 5, startedPerDay: 8, heardPerHour: 20 };
const FLOOD = 200;

let temporary: TemporaryStore;
let forge: FakeForge;
let parts: IntakeParts;
let now: number;
beforeEach(() => {
  now = RECEIVED;
  temporary = temporaryStore({ now: () => now });
  forge = fakeForge();
  const config = loadConfig({
    env: { UWF_STORAGE_ROOT: "/nonexistent", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
  });
  parts = intakeParts(
    { store: temporary.store, forge },
    {
      config: { ...config, limits: { ...config.limits, perActor: LIMITS } },
      actors: actors(temporary.store, LIMITS, () => now),
    },
  );
  parts.engine.now = () => now;
});
afterEach(() => temporary.dispose());

const mona = { login: "mona", id: 1, isBot: false };
const about = { ...PLACE, defaultBranch: "main" };

let deliveries = 0;
/** Each as it comes from the forge: kept, then handled. */
const send = async (...events: RepositoryEvent[]): Promise<void> => {
  const { store } = temporary;
  for (const event of events) {
    const id = `d${++deliveries}`;
    const read = () => event;
    const receive = receiver({
      store,
      queue: parts.queue,
      forge: "github",
      read,
      isSaid: (said) => isSaidInConversation(store, said),
      now: () => now,
      log: silentLog,
    });
    await receive({ id, event: "x", body: "{}" });
    await handleDelivery(parts, `github-${id}`, new AbortController().signal);
    now += 10;
  }
};

const comment = (body: string, at: number, sender = mona, issue = 12): RepositoryEvent => ({
  ...about,
  kind: "commented",
  sender,
  issue: anIssue({ number: issue }),
  comment: { id: at, body, url: "", at: now },
});
const label = (issue: number, sender = mona, place: object = {}): RepositoryEvent => ({
  ...about,
  ...place,
  kind: "issue-labelled",
  sender,
  issue: anIssue({ number: issue }),
  label: "uwf",
});
const times = (make: (at: number) => RepositoryEvent) =>
  Array.from({ length: FLOOD }, (_, at) => make(at + 1));
const called = (name: string): number => forge.called.filter((each) => each === name).length;

describe("a flood of commands", () => {
  it("of a stranger takes a call of the forge or two", async () => {
    forge.permissionIs = "read";

    await send(...times((at) => comment("/solve", at)));

    expect(called("permission")).toBe(1);
    expect(forge.reactions).toEqual(["confused"]);
    expect(forge.comments.size).toBe(0);
  });

  it("of a stranger is looked at again a while later", async () => {
    forge.permissionIs = "read";
    await send(comment("/solve", 1));
    now += 60_000;
    forge.permissionIs = "write";

    await send(comment("/solve", 2));

    expect(await temporary.store.threads({ limit: 10 })).toHaveLength(1);
  });

  it("of strangers with names of their own takes no comment of the bot's", async () => {
    forge.permissionIs = "read";

    await send(...times((at) => comment("/solve", at, { login: `stranger-${at}`, id: at, isBot: false })));

    expect([called("createComment"), called("updateComment")]).toEqual([0, 0]);
    expect(await temporary.store.threads({ limit: 10 })).toEqual([]);
  });

  it("of a person who may write is answered so many times and once more", async () => {
    await send(...times((at) => comment(at % 2 === 0 ? "/help" : "/nonsense", at)));

    expect(called("createComment") + called("updateComment")).toBeLessThanOrEqual(LIMITS.heardPerHour + 1);
    expect(called("react")).toBeLessThanOrEqual(LIMITS.heardPerHour);
    expect([...forge.comments.values()].map(({ body }) => body)).toEqual([
      expect.stringContaining("within an hour"),
    ]);
  });

  it("does not keep the person from stopping the work", async () => {
    await send(label(12));
    await send(...times((at) => comment("/status", at)));

    await send(comment("/stop", 1_000));

    expect(await temporary.store.threads({ limit: 10 })).toMatchObject([{ status: "cancelled" }]);
  });

  it("is counted over all processes", async () => {
    const processes = [1, 2, 3].map(() => actors(temporary.store, LIMITS, () => now));
    for (const [at, one] of [...processes, ...processes, ...processes].entries()) {
      parts.actors = one;
      for (let times = 0; times < 10; times++) await send(comment("/help", at * 100 + times));
    }

    expect(called("react")).toBe(LIMITS.heardPerHour);
    expect(called("createComment") + called("updateComment")).toBeLessThanOrEqual(2);
  });

  it("asks the forge about the person no more often than it is heard, and once for each process", async () => {
    await send(...times((at) => comment("/status", at)));

    expect(called("permission")).toBe(LIMITS.heardPerHour + 1);
  });

  it("is no flood when one command comes again and again until it is its turn", async () => {
    const busy = new AppError("at work", { code: "subject-busy", remedy: "retry" });
    const { findWorkflow } = parts;
    parts.findWorkflow = () => Promise.reject(busy);
    const event = comment("/solve", 1);
    const body = JSON.stringify(event);
    await temporary.store.addDeliveries([
      { id: "waits", forge: "github", event: "x", body, receivedAt: now },
    ]);
    const handle = () => handleDelivery(parts, "waits", new AbortController().signal);
    for (let times = 0; times < 5 * LIMITS.heardPerHour; times++) await expect(handle()).rejects.toBe(busy);
    parts.findWorkflow = findWorkflow;

    await handle();

    expect(await temporary.store.threads({ limit: 10 })).toHaveLength(1);
  });

  it("does not keep others from being heard", async () => {
    await send(...times((at) => comment("/status", at)));

    await send(comment("/solve", 1_000, { login: "ada", id: 2, isBot: false }));

    expect(await temporary.store.threads({ limit: 10 })).toHaveLength(1);
  });
});

describe("a flood of comments while a conversation's turn is under way", () => {
  const talk = async (): Promise<void> => {
    await send({ ...label(12), label: "uwf:design" } as RepositoryEvent);
    expect(await temporary.store.threads({ limit: 10 })).toMatchObject([{ status: "queued" }]);
    forge.called.length = 0;
  };

  it("of a stranger takes a call of the forge, and nothing of it waits", async () => {
    await talk();
    forge.permissionIs = "read";

    await send(...times((at) => comment("Me too!", at)));

    expect(called("permission")).toBe(1);
    expect(await temporary.store.pendingDeliveries(FLOOD)).toEqual([]);
  });

  it("of a person who may write waits as far as it is heard, which takes a call of the forge", async () => {
    await talk();
    const events = times((at) => comment("And this!", at));

    const ends = [];
    for (const event of events) ends.push(...(await Promise.allSettled([send(event)])));

    const waiting = ends.filter(({ status }) => status === "rejected");
    // The label was heard as well.
    expect(waiting).toHaveLength(LIMITS.heardPerHour - 1);
    expect(waiting[0]).toMatchObject({ reason: { code: "subject-busy" } });
    expect(await temporary.store.pendingDeliveries(FLOOD)).toHaveLength(waiting.length);
    expect(called("permission")).toBe(1);
  });
});

describe("a flood of work", () => {
  const heardAll = () => {
    parts.actors = actors(temporary.store, { heardPerHour: 10_000 }, () => now);
  };

  it("of one person ends at what one may have under way", async () => {
    heardAll();

    await send(...times((at) => label(at)));

    const threads = await temporary.store.threads({ limit: 1_000 });
    expect(threads).toHaveLength(LIMITS.underWay);
    const said = [...forge.comments.values()].map(({ body }) => body);
    expect(said.every((body) => body.includes("under way"))).toBe(true);
  });

  it("of one person ends at what one may begin within a day, and goes on the next", async () => {
    heardAll();
    for (let at = 1; at <= FLOOD; at++) await send(label(at), comment("/stop", at, mona, at));
    expect(await temporary.store.threads({ limit: 1_000 })).toHaveLength(LIMITS.startedPerDay);

    now += 25 * 3_600_000;
    await send(label(1_000));

    expect(await temporary.store.threads({ limit: 1_000 })).toHaveLength(LIMITS.startedPerDay + 1);
  });

  it("of many does not delay another organisation's first issue", async () => {
    heardAll();
    const crowd = (at: number) => ({ login: `person-${at}`, id: at, isBot: false });
    await send(...times((at) => label(at, crowd(at))));
    await send(label(1, mona, { repository: "other/tool", installationId: 99 }));
    await temporary.store.beat("worker", { places: 2, ttlMs: 60_000 });

    const admitted = await temporary.store.admit({ perRepository: 1, perInstallation: 4, total: null });

    const of = await Promise.all(admitted.map((id) => temporary.store.thread(id)));
    expect(new Set(of.map((thread) => thread?.installation))).toEqual(new Set(["github/17", "github/99"]));
  });

  it("of the bot itself, and of other bots, begins nothing and asks the forge nothing", async () => {
    const robot = { login: "uwf[bot]", id: 9, isBot: true };

    await send(...times((at) => label(at, robot)));
    await send(...times((at) => comment("/solve", at, robot)));

    expect(await temporary.store.threads({ limit: 10 })).toEqual([]);
    expect(forge.called).toEqual([]);
  });
});
