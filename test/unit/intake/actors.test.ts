import { describe, expect, it } from "vitest";
import { actors, unheard } from "../../../src/intake/actors.ts";
import type { Store } from "../../../src/store/store.ts";
import { PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";

type Counted = Parameters<Store["hear"]>;

/** One process's, over a store that hears a person so many times. */
const ofProcess = ({ room = 1 } = {}) => {
  const clock = { ms: RECEIVED };
  const counted: Counted[] = [];
  const store = {
    room,
    hear: async (...of: Counted) => {
      counted.push(of);
      return counted.length <= store.room;
    },
  };
  return { clock, counted, store, ...actors(store, { heardPerHour: 7 }, () => clock.ms) };
};

const mona = { place: PLACE, sender: { login: "Mona" } };
const sameMona = { place: PLACE, sender: { login: "mONA" } };
const wes = { place: PLACE, sender: { login: "wes" } };
const elsewhere = { ...mona, place: { ...PLACE, repository: "acme/other" } };
const otherInstallation = { ...mona, place: { ...PLACE, installationId: 18 } };

describe("a person who may not ask", () => {
  it("is refused for half a minute without asking the forge, in that repository alone", () => {
    const { clock, isRefused, refuse } = ofProcess();
    expect(isRefused(mona)).toBe(false);

    refuse(mona);

    expect([mona, sameMona, wes, elsewhere].map(isRefused)).toEqual([true, true, false, false]);
    clock.ms += 29_999;
    expect(isRefused(mona)).toBe(true);
    clock.ms += 1;
    expect(isRefused(mona)).toBe(false);
  });

  it("stays refused while others are", () => {
    const { clock, isRefused, refuse } = ofProcess();
    refuse(mona);
    clock.ms += 20_000;
    refuse(wes);

    expect([mona, wes].map(isRefused)).toEqual([true, true]);
    clock.ms += 10_000;
    refuse(elsewhere);
    expect([mona, wes, elsewhere].map(isRefused)).toEqual([false, true, true]);
  });
});

describe("a person who may ask", () => {
  it("may wait for five minutes without asking the forge, in that repository alone", () => {
    const { clock, isRefused, mayWait, letWait } = ofProcess();
    expect(mayWait(mona)).toBe(false);

    letWait(mona);

    expect([mona, sameMona, wes, elsewhere].map(mayWait)).toEqual([true, true, false, false]);
    expect(isRefused(mona)).toBe(false);
    clock.ms += 299_999;
    expect(mayWait(mona)).toBe(true);
    clock.ms += 1;
    expect(mayWait(mona)).toBe(false);
  });

  it("is counted in the installation, whatever the case of the name, within an hour", async () => {
    const { counted, hear } = ofProcess();

    expect(await hear({ ...mona, id: "d1" })).toBe("heard");
    expect(await hear({ ...mona, id: "d2" })).toBe("unheard");

    const of = { person: "github/17 mona", most: 7, withinMs: 3_600_000 };
    expect(counted).toEqual([
      ["d1", of],
      ["d2", of],
    ]);
  });

  it("is not counted before the forge is asked, until there was too much and that was said", async () => {
    const { counted, isUnheard, hear } = ofProcess();

    expect(await isUnheard({ ...mona, id: "d1" })).toBe(false);
    await hear({ ...mona, id: "d1" });
    expect(await isUnheard({ ...mona, id: "d2" })).toBe(false);

    expect(counted).toHaveLength(1);
  });

  it("is unheard from then on, except in what was answered so, and nobody else is", async () => {
    const { isUnheard, hear } = ofProcess({ room: 0 });
    await hear({ ...mona, id: "d1" });

    expect(await isUnheard({ ...sameMona, id: "d2" })).toBe(true);
    expect(await isUnheard({ ...elsewhere, id: "d3" })).toBe(true);
    expect(await isUnheard({ ...mona, id: "d1" })).toBe(false);
    expect(await isUnheard({ ...wes, id: "d4" })).toBe(false);
    expect(await isUnheard({ ...otherInstallation, id: "d5" })).toBe(false);
  });

  it("is heard again as soon as there is room, and asked about anew an hour later", async () => {
    const { clock, store, counted, isUnheard, hear } = ofProcess({ room: 0 });
    await hear({ ...mona, id: "d1" });
    clock.ms += 3_599_999;
    expect(await isUnheard({ ...mona, id: "d2" })).toBe(true);
    store.room = 10;
    expect(await isUnheard({ ...mona, id: "d3" })).toBe(false);
    store.room = 0;
    const before = counted.length;
    clock.ms += 1;

    expect(await isUnheard({ ...mona, id: "d4" })).toBe(false);
    expect(counted).toHaveLength(before);
  });

  it("stays unheard while others become so", async () => {
    const { clock, isUnheard, hear } = ofProcess({ room: 0 });
    await hear({ ...mona, id: "d1" });
    clock.ms += 1_800_000;
    await hear({ ...wes, id: "d2" });

    expect(await isUnheard({ ...mona, id: "d3" })).toBe(true);
    expect(await isUnheard({ ...wes, id: "d4" })).toBe(true);
  });

  it("is told how much there may be", () => {
    expect(unheard(7)).toMatch(/^You have asked for 7 things within an hour: .*`\/stop` and `\/pause`/);
  });
});
