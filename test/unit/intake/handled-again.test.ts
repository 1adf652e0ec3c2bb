import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Commented } from "../../../src/forge/events.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import type { IntakeParts } from "../../../src/intake/parts.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const busy = () => new AppError("busy", { code: "store-busy", remedy: "retry" });

describe("a delivery that is handled again, because something failed after its work was done", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let parts: IntakeParts;
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    parts = intakeParts({ store: temporary.store, forge });
  });
  afterEach(() => temporary.dispose());

  const handle = (id: string, more: Partial<IntakeParts> = {}) =>
    handleDelivery({ ...parts, ...more }, id, new AbortController().signal);
  /** Writes a comment, which is handled until right before it is ticked off. */
  const said = async (id: string, body: string) => {
    const event: Commented = {
      ...{ ...PLACE, kind: "commented", defaultBranch: "main", issue: anIssue() },
      sender: { login: "mona", id: 1, isBot: false },
      comment: { id: 5, body, url: "", at: RECEIVED },
    };
    const delivery = { id, forge: "github", event: "issue_comment", body: JSON.stringify(event) };
    await temporary.store.addDeliveries([{ ...delivery, receivedAt: RECEIVED }]);
    const finishDelivery = async () => Promise.reject(busy());
    const store = { ...temporary.store, finishDelivery };
    await expect(handle(id, { engine: { ...parts.engine, store } })).rejects.toThrow("busy");
  };
  const threads = async () => (await temporary.store.threads({ limit: 9 })).map(({ status }) => status);
  const notices = async () => {
    const found = await Promise.all(
      (await temporary.store.threads({ limit: 9 })).map(({ id }) => temporary.store.link(id, "notice")),
    );
    return [...found.filter(Boolean), ...forge.comments.values()];
  };

  it.each(["/solve", "/run lint", "/solve\nnow"])(
    "starts nothing anew, and tells nobody off: %j",
    async (body) => {
      await said("d1", body);
      forge.called.length = 0;

      const thread = await handle("d1");

      expect([thread?.status, await threads(), await notices(), forge.called]).toEqual([
        "queued",
        ["queued"],
        [],
        [],
      ]);
      expect(await temporary.store.pendingDeliveries(9)).toEqual([]);
    },
  );

  it("does not take what it began itself for the work that is to be started over", async () => {
    await said("d1", "/solve");
    const first = await handle("d1");
    if (first !== undefined) await temporary.store.advance(first.id, {}, { status: "failed" });
    await said("d2", "/retry");

    await handle("d2");

    expect([(await threads()).toSorted(), await notices()]).toEqual([["failed", "queued"], []]);
  });

  it("goes on when no worker can be called: one finds the thread in the store", async () => {
    await said("d1", "/solve");
    const enqueue = async () => Promise.reject(busy());

    await handle("d1", { queue: { ...parts.queue, enqueue } });

    expect([await threads(), await temporary.store.pendingDeliveries(9)]).toEqual([["queued"], []]);
  });

  it("obeys a word once when the forge could not take the sign that it was seen", async () => {
    await said("d1", "/solve");
    await handle("d1");
    forge.faults.set("react", new AppError("down", { code: "forge-unavailable", remedy: "retry" }));
    const before = said("d2", "/stop");
    await expect(before).rejects.toThrow();
    expect(await threads()).toEqual(["queued"]);
    forge.faults.delete("react");

    await handle("d2");

    expect([await threads(), await notices()]).toEqual([["cancelled"], []]);
  });
});
