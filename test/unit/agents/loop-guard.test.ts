import { describe, expect, it } from "vitest";
import { type GuardedRound, repetition } from "../../../src/agents/loop-guard.ts";

/** A round per word, a call per letter: small letters read, capitals write, `!` after one: it failed, `|`: compacted. */
const rounds = (script: string): GuardedRound[] =>
  script
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({
      compacted: word.includes("|"),
      calls: [...word.matchAll(/([a-zA-Z])(!?)/g)].map(([, key = "", failed]) => ({
        key,
        effect: key === key.toUpperCase() ? ("write" as const) : ("read" as const),
        ok: failed === "",
      })),
    }));

describe("repetition", () => {
  it.each<[string, string, "none" | "warn" | "stop"]>([
    ["nothing yet", "", "none"],
    ["one call", "a", "none"],
    ["the same twice", "a a", "none"],
    ["the same for the third time", "a a a", "warn"],
    ["the same for the fourth time: warned already", "a a a a", "none"],
    ["the same for the fifth time", "a a a a a", "stop"],
    ["the same thrice with other reads between", "a b a c a", "warn"],
    ["a change in between", "a a X a", "none"],
    ["a change that failed in between", "a a X! a", "warn"],
    ["the count after a change", "a a X a a a", "warn"],
    ["a change in the same reply, before the call", "a a Xa", "none"],
    ["the same change again and again", "X X X", "warn"],
    ["the same change for the fifth time", "X X X X X", "stop"],
    ["the same call many times in one reply", "aaaaa", "none"],
    ["two A-B cycles", "a b a b", "none"],
    ["two and a half A-B cycles", "a b a b a", "warn"],
    ["three A-B cycles", "a b a b a b", "stop"],
    ["three A-B cycles of changes that undo each other", "X Y X Y X Y", "stop"],
    ["three A-B cycles in replies of two", "ab ab ab", "stop"],
    ["cycles that another change breaks", "a b a b X a b", "none"],
    ["cycles of three", "a b c a b c", "none"],
    ["after the cycle came something else", "a b a b a b c", "none"],
    ["a compaction in between", "a a| a", "none"],
    ["a compaction after the third", "a a a|", "none"],
    ["a reply without calls after the third", "a a a -", "none"],
  ])("%s: %s is %s", (_, script, kind) => {
    expect(repetition(rounds(script)).kind).toBe(kind);
  });

  it("names the call", () => {
    expect(repetition(rounds("b a a a"))).toEqual({ kind: "warn", key: "a" });
  });
});
