import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import type { Reserved, Store } from "../../../src/store/store.ts";
import { all, created, type Rig } from "./rig.ts";

const period = "2026-11";

export const reservationsContract = (rig: () => Rig): void => {
  const [a, b] = [newThreadId(), newThreadId()];
  const inAccounts = (usd: number, limits: Record<string, number>, when = period) => ({
    period: when,
    usd,
    accounts: Object.entries(limits).map(([account, limitUsd]) => ({ account, limitUsd })),
  });
  const used = (account: string, when = period) => rig().store.reserved(account, when);

  it("sets money aside in every account, and counts each account and period by itself", async () => {
    const { store } = rig();

    expect(await store.reserve(a, inAccounts(2, { ada: 5, repository: 9 }))).toBeNull();
    expect(await store.reserve(b, inAccounts(3, { ada: 5 }))).toBeNull();
    expect(await store.reserve(b, inAccounts(4, { ada: 5 }, "2026-12"))).toBeNull();

    expect([await used("ada"), await used("repository"), await used("ada", "2026-12")]).toEqual([5, 2, 4]);
    expect(await used("nobody")).toBe(0);
  });

  it("changes nothing when one account has no room, and answers the one with the least", async () => {
    const { store } = rig();
    await store.reserve(a, inAccounts(4, { ada: 5, repository: 5, total: 100 }));

    const refused = await store.reserve(b, inAccounts(1.5, { total: 100, ada: 5, repository: 4.5 }));

    expect(refused).toEqual({ account: "repository", limitUsd: 4.5, usedUsd: 4 });
    expect([await used("ada"), await used("repository"), await used("total")]).toEqual([4, 4, 4]);
  });

  it("fills an account to the last cent, whatever the parts are", async () => {
    const { store } = rig();
    for (let n = 0; n < 10; n++)
      expect(await store.reserve(newThreadId(), inAccounts(0.1, { ada: 1 }))).toBeNull();

    expect(await used("ada")).toBe(1);
    expect(await store.reserve(a, inAccounts(0.000001, { ada: 1 }))).toMatchObject({ usedUsd: 1 });
    expect(await store.reserve(a, inAccounts(0, { ada: 1 }))).toBeNull();
  });

  it("sets aside for a thread and period once: the last amount and the last accounts", async () => {
    const { store } = rig();
    await store.reserve(a, inAccounts(3, { ada: 4, repository: 4 }));

    expect(await store.reserve(a, inAccounts(3, { ada: 4, repository: 4 }))).toBeNull();
    expect(await store.reserve(a, inAccounts(4, { ada: 4, grace: 4 }))).toBeNull();

    expect([await used("ada"), await used("repository"), await used("grace")]).toEqual([4, 0, 4]);
  });

  it("keeps what was set aside when more is refused", async () => {
    const { store } = rig();
    await store.reserve(a, inAccounts(3, { ada: 4 }));
    await store.reserve(b, inAccounts(1, { ada: 4 }));

    const refused = await store.reserve(a, inAccounts(3.5, { ada: 4 }));

    expect(refused).toEqual({ account: "ada", limitUsd: 4, usedUsd: 1 });
    expect(await used("ada")).toBe(4);
  });

  it("names an account once that stands there twice, with the lesser limit", async () => {
    const { store } = rig();
    const accounts = [
      { account: "ada", limitUsd: 9 },
      { account: "ada", limitUsd: 4 },
    ];

    expect(await store.reserve(a, { period, usd: 3, accounts })).toBeNull();
    expect(await used("ada")).toBe(3);
    expect(await store.reserve(b, { period, usd: 3, accounts })).toMatchObject({ limitUsd: 4, usedUsd: 3 });
  });

  it("sets nothing aside where there is no account, and takes what was set aside back", async () => {
    const { store } = rig();
    await store.reserve(a, inAccounts(3, { ada: 4 }));

    expect(await store.reserve(a, inAccounts(3, {}))).toBeNull();

    expect(await used("ada")).toBe(0);
  });

  it("frees what was not used, and counts what was used beyond", async () => {
    const { store } = rig();
    await store.reserve(a, inAccounts(3, { ada: 4, repository: 4 }));
    await store.reserve(a, inAccounts(3, { ada: 4 }, "2026-12"));

    await store.settle(a, { period, usd: 1.25 });
    await store.settle(a, { period, usd: 1.25 });

    expect([await used("ada"), await used("repository"), await used("ada", "2026-12")]).toEqual([
      1.25, 1.25, 3,
    ]);
    expect(await store.reserve(b, inAccounts(2.75, { ada: 4 }))).toBeNull();
    await store.settle(b, { period, usd: 3 });
    expect(await used("ada")).toBe(4.25);
    expect(await store.reserve(newThreadId(), inAccounts(0, { ada: 4 }))).toEqual({
      account: "ada",
      limitUsd: 4,
      usedUsd: 4.25,
    });
  });

  it("keeps and sums amounts without bound, which leave no room where there is a limit", async () => {
    const { store } = rig();
    const endless = Number.POSITIVE_INFINITY;

    expect(await store.reserve(a, inAccounts(endless, { ada: 1_000_000 }))).toMatchObject({ usedUsd: 0 });
    expect(await store.reserve(a, inAccounts(endless, { ada: endless }))).toBeNull();
    await store.reserve(b, inAccounts(0, { ada: endless }));
    await store.settle(b, { period, usd: endless });

    expect(await used("ada")).toBeGreaterThan(1e9);
    expect(await store.reserve(newThreadId(), inAccounts(1, { ada: 5 }))).toMatchObject({ limitUsd: 5 });
  });

  it("settles nothing that was not set aside", async () => {
    await rig().store.settle(a, { period, usd: 3 });

    expect(await all(rig().store.allReservations())).toEqual([]);
  });

  it("keeps what a thread has used when the thread is removed", async () => {
    const { store } = rig();
    const { record } = await created(store);
    await store.reserve(record.id, inAccounts(3, { ada: 4 }));
    await store.settle(record.id, { period, usd: 2 });

    await store.removeThread(record.id);

    expect(await used("ada")).toBe(2);
  });

  it("forgets what nobody has changed for three times the time that deliveries are kept", async () => {
    const { store, clock } = rig();
    await store.reserve(a, inAccounts(3, { ada: 9 }));
    await store.reserve(b, inAccounts(2, { ada: 9 }));
    clock.now += 1_500;
    await store.settle(b, { period, usd: 1 });
    clock.now += 1_499;
    await store.forget(1_000);
    expect(await used("ada")).toBe(4);

    clock.now += 1;
    await store.forget(1_000);

    expect(await used("ada")).toBe(1);
  });

  describe("many at once", () => {
    it("never set aside more than a limit, and leave no room unused", async () => {
      const stores = [rig().store, await rig().another()];
      const asked = Array.from({ length: 24 }, (_, n) => ({ id: newThreadId(), account: `person ${n % 3}` }));

      const answers = await Promise.all(
        asked.map(({ id, account }, n) =>
          (stores[n % 2] ?? rig().store).reserve(id, inAccounts(1, { [account]: 5, total: 12 })),
        ),
      );

      expect(answers.filter((answer) => answer === null)).toHaveLength(12);
      expect(await used("total")).toBe(12);
      const each = await Promise.all([0, 1, 2].map((n) => used(`person ${n}`)));
      expect(Math.max(...each)).toBeLessThanOrEqual(5);
      await stores[1]?.close();
    });

    it("set aside once for one thread", async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          rig().store.reserve(a, inAccounts(2, n % 2 === 0 ? { ada: 3, total: 3 } : { total: 3, ada: 3 })),
        ),
      );

      expect(answers).toEqual(answers.map(() => null));
      expect([await used("ada"), await used("total")]).toEqual([2, 2]);
    });
  });

  it("keeps every account within its limit, whatever is reserved and settled in whichever order", async () => {
    const limits: Readonly<Record<string, number>> = { a: 1, b: 2.5, c: 4 };
    const threads = Array.from({ length: 4 }, () => newThreadId());
    const act = fc.record({
      thread: fc.nat(threads.length - 1),
      cents: fc.nat(150),
      accounts: fc.subarray(Object.keys(limits), { minLength: 1 }),
      settles: fc.boolean(),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        async (rounds) => {
          const when = `property ${++run}`;
          for (const round of rounds) {
            await Promise.all(round.map((one) => perform(rig().store, { ...one, when, threads, limits })));
            for (const [account, limit] of Object.entries(limits))
              expect(await used(account, when)).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("gives all that is set aside or used, of each thread and period once", async () => {
    const { store } = rig();
    const expected: Reserved[] = [];
    for (let n = 0; n < 1_010; n++) {
      const thread = String(Math.floor(n / 2)).padStart(26, "0") as ThreadId;
      const when = n % 2 === 0 ? "2026-11" : "2026-12";
      await store.reserve(
        thread,
        inAccounts(n / 4, { total: 1e9, [`account ${n}`]: Number.POSITIVE_INFINITY }, when),
      );
      expected.push({ thread, period: when, usd: n / 4, accounts: [`account ${n}`, "total"] });
    }

    expect(await all(store.allReservations())).toEqual(expected);
  });
};

type Act = { thread: number; cents: number; accounts: string[]; settles: boolean };
type Scene = { when: string; threads: readonly ThreadId[]; limits: Readonly<Record<string, number>> };

/** Settles for no more than can have been set aside: what is used beyond is counted, limit or not. */
const perform = async (
  store: Store,
  { thread, cents, accounts, settles, ...scene }: Act & Scene,
): Promise<void> => {
  const id = scene.threads[thread] ?? newThreadId();
  if (settles) return store.settle(id, { period: scene.when, usd: 0 });
  await store.reserve(id, {
    period: scene.when,
    usd: cents / 100,
    accounts: accounts.map((account) => ({ account, limitUsd: scene.limits[account] ?? 0 })),
  });
};
