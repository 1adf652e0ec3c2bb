import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fullLines } from "../../../src/intake/full-lines.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

describe("fullLines", () => {
  let temporary: TemporaryStore;
  const clock = { now: 1_000_000 };
  beforeEach(() => {
    temporary = temporaryStore({ now: () => clock.now });
  });
  afterEach(() => temporary.dispose());

  const open = () => fullLines({ store: temporary.store, now: () => clock.now }, 3);
  const add = (ids: readonly string[], installation = "github/1") =>
    temporary.store.addDeliveries(
      ids.map((id) => ({ id, forge: "github", event: "x", body: "{}", installation, receivedAt: clock.now })),
    );
  const full = expect.objectContaining({ code: "deliveries-full", remedy: "retry" });

  it("has places for so many of one installation, and for as many of another", async () => {
    const takePlace = open();
    await add(["a", "b"]);

    const taken = await Promise.allSettled([1, 2, 3].map(() => takePlace("github/1")));

    expect(taken).toEqual([
      { status: "fulfilled", value: undefined },
      { status: "rejected", reason: full },
      { status: "rejected", reason: full },
    ]);
    await expect(takePlace("github/2")).resolves.toBeUndefined();
  });

  it("has places again when some were handled", async () => {
    const takePlace = open();
    await add(["a", "b", "c"]);
    await expect(takePlace("github/1")).rejects.toEqual(full);
    await temporary.store.finishDelivery("a");
    clock.now += 1_000;

    await expect(takePlace("github/1")).resolves.toBeUndefined();
  });

  it("counts what other processes keep", async () => {
    const takePlace = open();
    await takePlace("github/1");
    await add(["a", "b", "c"]);
    clock.now += 1_000;

    await expect(takePlace("github/1")).rejects.toEqual(full);
  });
});
