import { describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import { prefixRange } from "../../../src/store/prefix.ts";
import { resolveHash, resolveThread } from "../../../src/store/resolve.ts";

/** Finds among `ids` as a store does. */
const finding = (ids: readonly string[]) => {
  const find = async (prefix: string, limit: number): Promise<string[]> => {
    const { from, to } = prefixRange(prefix);
    return ids.filter((id) => id >= from && id < to).slice(0, limit);
  };
  return {
    findHashes: async (prefix: string, limit: number) => (await find(prefix, limit)) as Hash[],
    findThreads: async (prefix: string, limit: number) => (await find(prefix, limit)) as ThreadId[],
  };
};

const hash = (prefix: string): string => prefix.padEnd(52, "0");

describe("resolving a hash", () => {
  const store = finding([hash("01ABCDEFGH"), hash("01ABCDEFGJ"), hash("ZZZZZZZZ")]);

  it("takes a whole hash or a unique prefix, in any case, with look-alike letters", async () => {
    expect(await resolveHash(store, hash("ZZZZZZZZ"))).toBe(hash("ZZZZZZZZ"));
    expect(await resolveHash(store, " zzzzzzzz ")).toBe(hash("ZZZZZZZZ"));
    expect(await resolveHash(store, "olabcdefgh")).toBe(hash("01ABCDEFGH"));
  });

  it("names the candidates of a prefix that several have", async () => {
    const resolving = resolveHash(store, "01ABCDEF");

    await expect(resolving).rejects.toMatchObject({ code: "hash-ambiguous", remedy: "fix-input" });
    await expect(resolving).rejects.toThrow(`${hash("01ABCDEFGH")}, ${hash("01ABCDEFGJ")}`);
  });

  it("names five candidates at most", async () => {
    const many = finding(Array.from("ABCDEFG", (letter) => hash(`01234567${letter}`)));

    await expect(resolveHash(many, "01234567")).rejects.toThrow(new RegExp(`${hash("01234567E")}, …$`));
  });

  it("says when nothing begins so, and when too little was typed", async () => {
    await expect(resolveHash(store, "99999999")).rejects.toMatchObject({ code: "hash-unknown" });
    await expect(resolveHash(store, "zzzzzzz")).rejects.toMatchObject({ code: "prefix-too-short" });
    await expect(resolveHash(store, "")).rejects.toMatchObject({
      code: "prefix-too-short",
      remedy: "fix-input",
    });
  });
});

describe("resolving a thread", () => {
  const ids = ["01HZZZZZZZAAAAAAAAAAAAAAAA", "01HZZZZZZZBBBBBBBBBBBBBBBB"];
  const store = finding(ids);

  it("takes a whole id or a unique prefix", async () => {
    expect(await resolveThread(store, "01hzzzzzzza")).toBe(ids[0]);
    expect(await resolveThread(store, ids[1] ?? "")).toBe(ids[1]);
  });

  it("says when none or several begin so", async () => {
    await expect(resolveThread(store, "01HYYYYY")).rejects.toMatchObject({ code: "thread-unknown" });
    await expect(resolveThread(store, "01HZZZZZ")).rejects.toMatchObject({ code: "thread-ambiguous" });
    await expect(resolveThread(store, "01HZZ")).rejects.toMatchObject({ code: "prefix-too-short" });
  });
});
