import { describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { threadStatuses } from "../../../src/store/store.ts";
import { fixtureTime } from "../../fixtures/nodes.ts";
import { claim, end, open, waiting, withPlaces } from "./lines.ts";
import type { Rig } from "./rig.ts";

export const admissionContract = (rig: () => Rig): void => {
  it("admits what waits, answers it oldest first, and says so in its record alone", async () => {
    const store = await withPlaces(rig(), 9);
    const younger = await waiting(store, { line: "a/x", at: 2 });
    const older = await waiting(store, { line: "b/y", at: 1 });
    const before = await store.thread(older);

    const admitted = await store.admit(open);

    expect(admitted).toEqual([older, younger]);
    expect(await store.thread(older)).toEqual({ ...before, admitted: true });
    expect(await store.admit(open)).toEqual([older, younger]);
  });

  it.each([
    { limits: { ...open, perRepository: 2 }, admitted: [0, 1, 3, 4, 5] },
    { limits: { ...open, perInstallation: 2 }, admitted: [0, 1, 4, 5] },
    { limits: { ...open, total: 2 }, admitted: [0, 4] },
    { limits: { perRepository: 1, perInstallation: 2, total: 9 }, admitted: [0, 3, 4] },
  ])("keeps to the limits $limits", async ({ limits, admitted }) => {
    const store = await withPlaces(rig(), 9);
    const ids: ThreadId[] = [];
    for (const [at, line] of ["a/x", "a/x", "a/x", "a/y", "b/z", "b/z"].entries())
      ids.push(await waiting(store, { line, at }));

    expect(await store.admit(limits)).toEqual(admitted.map((index) => ids[index]));
  });

  it.each(["admitted", "running"])("counts what is %s already", async (what) => {
    const store = await withPlaces(rig(), 9);
    const first = await waiting(store, { line: "a/x" });
    await store.admit(open);
    if (what === "running") await claim(store, first);
    await waiting(store, { line: "a/x", at: 1 });
    const other = await waiting(store, { line: "a/y", at: 2 });

    expect(await store.admit({ ...open, perRepository: 0 })).toEqual([first]);
    expect(await store.admit({ ...open, perInstallation: 1 })).toEqual([first]);
    expect(await store.admit({ ...open, total: 1 })).toEqual([first]);
    expect(await store.admit({ ...open, perRepository: 1 })).toEqual([first, other]);
  });

  it("takes nothing away when a limit becomes smaller", async () => {
    const store = await withPlaces(rig(), 9);
    const ids = [await waiting(store, { line: "a/x" }), await waiting(store, { line: "a/x", at: 1 })];
    await store.admit(open);
    await store.beat("worker", { places: 1, ttlMs: 1_000 });

    expect(await store.admit({ perRepository: 1, perInstallation: 1, total: 1 })).toEqual(ids);
  });

  it("admits no thread that is in no line, and answers none", async () => {
    const store = await withPlaces(rig(), 9);
    const none = { installation: null, repository: null };
    const ids = [
      await waiting(store, { line: "a/x" }, none),
      await waiting(store, { line: "a/x" }, { ...none, status: "running" }),
    ];

    expect(await store.admit(open)).toEqual([]);
    expect(await Promise.all(ids.map((id) => store.thread(id)))).toMatchObject([
      { admitted: false },
      { admitted: false },
    ]);
  });

  it("answers the running threads of every line, and no other state but the admitted", async () => {
    const store = await withPlaces(rig(), 9);
    const ids = new Map<string, ThreadId>();
    for (const [at, status] of threadStatuses.entries())
      ids.set(status, await waiting(store, { line: `a/${status}`, at }, { status }));

    expect(await store.admit({ ...open, total: 0 })).toEqual([ids.get("running")]);
    expect(await store.admit(open)).toEqual([ids.get("queued"), ids.get("running")]);
  });

  it("lets a thread wait until it is due", async () => {
    const store = await withPlaces(rig(), 9);
    const id = await waiting(store, { line: "a/x" }, { dueAt: fixtureTime + 100 });
    const next = await waiting(store, { line: "a/x", at: 1 });

    rig().clock.now += 99;
    expect(await store.admit({ ...open, perRepository: 1 })).toEqual([next]);
    rig().clock.now += 1;
    expect(await store.admit(open)).toEqual([id, next]);
  });

  it("begins with no thread admitted, whatever its record says", async () => {
    const store = await withPlaces(rig(), 0);
    const id = await waiting(store, { line: "a/x" }, { admitted: true });

    expect(await store.thread(id)).toMatchObject({ admitted: false });
    expect(await store.admit(open)).toEqual([]);
  });

  describe("a change of status", () => {
    it("takes an admission back and makes the thread due at once", async () => {
      const store = await withPlaces(rig(), 9);
      const id = await waiting(store, { line: "a/x" }, { dueAt: fixtureTime });
      await store.admit(open);

      expect(await store.advance(id, {}, { status: "running" })).toMatchObject({ admitted: false, dueAt: 0 });
      await store.advance(id, {}, { status: "paused" });
      expect(await store.admit(open)).toEqual([]);
      await store.advance(id, {}, { status: "queued" });
      expect(await store.admit(open)).toEqual([id]);
    });

    it("makes it due when it says so", async () => {
      const store = await withPlaces(rig(), 9);
      const id = await waiting(store, { line: "a/x" }, { status: "running" });
      const dueAt = fixtureTime + 50;

      expect(await store.advance(id, {}, { status: "queued", dueAt })).toMatchObject({ dueAt });
      expect(await store.admit(open)).toEqual([]);
      rig().clock.now = dueAt;
      expect(await store.admit(open)).toEqual([id]);
    });

    it("is not any other change", async () => {
      const store = await withPlaces(rig(), 9);
      const id = await waiting(store, { line: "a/x" }, { dueAt: fixtureTime });
      await store.admit(open);

      const changed = await store.advance(id, {}, { note: "look at the tests", reason: "a reason" });

      expect(changed).toMatchObject({ admitted: true, dueAt: fixtureTime });
    });
  });

  it("never admits too many when two stores admit at once", async () => {
    const store = await withPlaces(rig(), 3);
    const stores = [store, await rig().another()];
    for (let at = 0; at < 12; at++) await waiting(store, { line: `${at % 3}/${at % 4}`, at });

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (stores[n % 2] ?? store).admit(open)),
    );

    expect(new Set(answers.map((ids) => ids.join(" "))).size).toBe(1);
    expect(answers[0]).toHaveLength(3);
    await stores[1]?.close();
  });

  it("admits and lets go of threads that are gone", async () => {
    const store = await withPlaces(rig(), 1);
    const first = await waiting(store, { line: "a/x" });
    const second = await waiting(store, { line: "a/x", at: 1 });
    await store.admit(open);

    await store.removeThread(first);
    await store.removeThread(newThreadId());

    expect(await store.admit(open)).toEqual([second]);
    await end(store, second);
    expect(await store.admit(open)).toEqual([]);
  });
};
