import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ForgeEvent, IssueLabelled } from "../../../src/forge/events.ts";
import { receiver } from "../../../src/intake/receive.ts";
import type { Job } from "../../../src/queue/queue.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const labelled: IssueLabelled = {
  kind: "issue-labelled",
  forge: "github",
  installationId: 5,
  repository: "example/project",
  defaultBranch: "main",
  sender: { login: "ada", id: 9, isBot: false },
  issue: {
    number: 12,
    title: "Durations below a second",
    body: "They are shown as 0 s.",
    url: "https://github.com/example/project/issues/12",
    author: "grace",
    state: "open",
    isPullRequest: false,
  },
  label: "uwf",
};

describe("receiver", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  type SetUp = { enqueue?: () => Promise<void>; read?: () => ForgeEvent | null };
  const setUp = ({ enqueue = async () => undefined, read = () => labelled }: SetUp = {}) => {
    const called: Job[] = [];
    const lines: object[] = [];
    const { store } = temporary;
    const receive = receiver({
      store,
      queue: {
        enqueue: (job) => {
          called.push(job);
          return enqueue();
        },
      },
      forge: "github",
      read,
      now: () => 7,
      log: { ...silentLog, info: (fields) => lines.push(fields), warn: (fields) => lines.push(fields) },
    });
    return { receive, called, lines, store };
  };
  const delivery = (id: string) => ({ id, event: "issues", body: `{"id":"${id}","raw":true}` });

  it("keeps each delivery once and calls a worker once", async () => {
    const { receive, called, lines, store } = setUp();

    await Promise.all([receive(delivery("a")), receive(delivery("b")), receive(delivery("a"))]);
    await receive(delivery("b"));

    expect(await store.pendingDeliveries(9)).toEqual([
      { id: "github-a", installation: "github/5" },
      { id: "github-b", installation: "github/5" },
    ]);
    expect(called).toEqual([
      { kind: "delivery", id: "github-a" },
      { kind: "delivery", id: "github-b" },
    ]);
    expect(lines).toContainEqual({ delivery: "github-a", event: "issues", isNew: true, isWanted: true });
    expect(lines).toContainEqual({ delivery: "github-b", event: "issues", isNew: false, isWanted: true });
  });

  it("keeps the event as the intake reads it, and nothing else of what came", async () => {
    const { receive, store } = setUp();

    await receive(delivery("a"));

    const kept = await store.delivery("github-a");
    expect(kept).toMatchObject({ forge: "github", event: "issues", receivedAt: 7 });
    expect(JSON.parse(kept?.body ?? "")).toEqual(labelled);
  });

  it.each([
    ["that nobody listens to", null],
    ["of a bot", { ...labelled, sender: { ...labelled.sender, isBot: true } }],
    ["on a closed issue", { ...labelled, issue: { ...labelled.issue, state: "closed" as const } }],
  ])("keeps of an event %s only that it came, and calls nobody", async (_what, event) => {
    const { receive, called, store } = setUp({ read: () => event });

    await receive(delivery("a"));
    await receive(delivery("a"));

    expect(await store.delivery("github-a")).toMatchObject({ event: "issues", body: "" });
    expect(await store.pendingDeliveries(9)).toEqual([]);
    expect(called).toEqual([]);
  });

  it("keeps of a delivery that cannot be read only that it came, and says why", async () => {
    const read = () => {
      throw new AppError("the body is no JSON", { code: "webhook-malformed", remedy: "fix-input" });
    };
    const { receive, called, lines, store } = setUp({ read });

    await receive(delivery("a"));

    expect(await store.delivery("github-a")).toMatchObject({ body: "" });
    expect(await store.pendingDeliveries(9)).toEqual([]);
    expect(called).toEqual([]);
    expect(lines).toContainEqual({ delivery: "github-a", error: "the body is no JSON" });
  });

  it("keeps the delivery when no worker can be called", async () => {
    const unreachable = new AppError("Redis is gone", { code: "queue-unreachable", remedy: "retry" });
    const { receive, lines, store } = setUp({ enqueue: () => Promise.reject(unreachable) });

    await receive(delivery("a"));

    expect(await store.delivery("github-a")).toMatchObject({ body: JSON.stringify(labelled), receivedAt: 7 });
    await expect.poll(() => lines).toContainEqual({ delivery: "github-a", error: "Redis is gone" });
  });

  it("waits for no worker, and calls a bounded number of them", async () => {
    const { receive, called, store } = setUp({ enqueue: () => new Promise(() => undefined) });

    await Promise.all(Array.from({ length: 1_200 }, (_, index) => receive(delivery(`d${index}`))));

    expect(called).toHaveLength(1_000);
    expect(await store.pendingDeliveries(2_000)).toHaveLength(1_200);
  });

  it("tells whoever sent it when it could not be kept", async () => {
    const { receive, called, store } = setUp();
    await store.close();

    await expect(receive(delivery("a"))).rejects.toThrow();

    expect(called).toEqual([]);
  });
});
