import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { receiver } from "../../../src/intake/receive.ts";
import type { Job } from "../../../src/queue/queue.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

describe("receiver", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  type SetUp = { enqueue?: () => Promise<void>; isWanted?: () => boolean };
  const setUp = ({ enqueue = async () => undefined, isWanted = () => true }: SetUp = {}) => {
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
      isWanted,
      now: () => 7,
      log: { ...silentLog, info: (fields) => lines.push(fields), warn: (fields) => lines.push(fields) },
    });
    return { receive, called, lines, store };
  };
  const delivery = (id: string) => ({ id, event: "issues", body: `{"id":"${id}"}` });

  it("keeps each delivery once and calls a worker once", async () => {
    const { receive, called, lines, store } = setUp();

    await Promise.all([receive(delivery("a")), receive(delivery("b")), receive(delivery("a"))]);
    await receive(delivery("b"));

    expect(await store.pendingDeliveries(9)).toEqual(["github-a", "github-b"]);
    expect(called).toEqual([
      { kind: "delivery", id: "github-a" },
      { kind: "delivery", id: "github-b" },
    ]);
    expect(lines).toContainEqual({ delivery: "github-a", event: "issues", isNew: true, isWanted: true });
    expect(lines).toContainEqual({ delivery: "github-b", event: "issues", isNew: false, isWanted: true });
  });

  it("keeps of an event that leads to nothing only that it came, and calls nobody", async () => {
    const { receive, called, store } = setUp({ isWanted: () => false });

    await receive(delivery("a"));
    await receive(delivery("a"));

    expect(await store.delivery("github-a")).toMatchObject({ event: "issues", body: "" });
    expect(await store.pendingDeliveries(9)).toEqual([]);
    expect(called).toEqual([]);
  });

  it("leaves an event that cannot be read to whoever says what is wrong with it", async () => {
    const isWanted = () => {
      throw new Error("not JSON");
    };
    const { receive, called } = setUp({ isWanted });

    await receive(delivery("a"));

    expect(called).toEqual([{ kind: "delivery", id: "github-a" }]);
  });

  it("keeps the delivery when no worker can be called", async () => {
    const unreachable = new AppError("Redis is gone", { code: "queue-unreachable", remedy: "retry" });
    const { receive, lines, store } = setUp({ enqueue: () => Promise.reject(unreachable) });

    await receive(delivery("a"));

    expect(await store.delivery("github-a")).toMatchObject({ body: '{"id":"a"}', receivedAt: 7 });
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
