import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretKeeper } from "../../../src/base/redact.ts";
import { redactStream } from "../../../src/base/redact-stream.ts";

const SECRET = "ghs_0123456789abcdefghij";

const streamed = (pieces: readonly string[], secrets = [SECRET]) => {
  const stream = redactStream(secretKeeper(secrets));
  const shown = pieces.map(stream.push);
  return [...shown, stream.end()];
};

describe("redactStream", () => {
  it("masks a secret that comes in two pieces, wherever it is cut", () => {
    for (let cut = 1; cut < SECRET.length; cut++) {
      const text = streamed([`a ${SECRET.slice(0, cut)}`, `${SECRET.slice(cut)} b`]).join("");

      expect(text).toBe("a [redacted] b");
    }
  });

  it("masks one that comes character by character, and in another form", () => {
    expect(streamed([...`a ${SECRET} b`]).join("")).toBe("a [redacted] b");
    for (const escaped of [
      [...SECRET].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(""),
      [...SECRET].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(""),
      [...SECRET].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join(""),
      [...SECRET].map((c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`).join(""),
      [...SECRET].map((c) => `&#${c.charCodeAt(0)};`).join(""),
      [...SECRET].join("\u001b[1m"),
      Buffer.from(`a:${SECRET}`).toString("hex"),
    ])
      for (let cut = 1; cut < escaped.length; cut++)
        expect(streamed([`a ${escaped.slice(0, cut)}`, `${escaped.slice(cut)} b`]).join("")).toMatch(
          /^a (613a)?\[redacted\] b$/,
        );
  });

  it("shows at once what is no beginning of a secret, and at the end what was none", () => {
    expect(streamed(["one ", "two ghs_012345", "x ghs_01"])).toEqual([
      "one ",
      "two ",
      "ghs_012345x ",
      "ghs_01",
    ]);
  });

  it("keeps nothing back for what only begins as a secret does, however much follows", () => {
    expect(streamed(["the ghs_ prefix of a token, and whatever else may follow after it."])).toEqual([
      "the ghs_ prefix of a token, and whatever else may follow after it.",
      "",
    ]);
  });

  it("shows what comes before a secret, and its mask, as soon as all of it is there", () => {
    expect(streamed([`a ${SECRET} b `, `c ${SECRET}ghs_`, "."])).toEqual([
      "a [redacted] b ",
      "c [redacted]",
      "ghs_.",
      "",
    ]);
  });

  it("shows the mask of a form whose end begins nothing at once", () => {
    expect(streamed([`a ${Buffer.from(SECRET).toString("hex")}`])).toEqual(["a [redacted]", ""]);
  });

  it("waits for the whole of a secret whose end may begin another", () => {
    expect(
      streamed(["say one-secret-tail-x", "-of-another."], ["one-secret-tail-x", "tail-x-of-another"]),
    ).toEqual(["say ", "[redacted].", ""]);
  });

  it("masks each of the secrets that begin alike", () => {
    const other = "ghs_abcdefghij0123456789";
    for (const secret of [SECRET, other])
      expect(streamed([`a ${secret.slice(0, 9)}`, `${secret.slice(9)} b`], [SECRET, other])).toEqual([
        "a ",
        "[redacted] b",
        "",
      ]);
  });

  it("keeps nothing back where there are no secrets", () => {
    expect(streamed(["by 50%", " more"], [])).toEqual(["by 50%", " more", ""]);
  });

  it("begins anew after its end", () => {
    const stream = redactStream(secretKeeper([SECRET]));

    expect([stream.push("a ghs_"), stream.end(), stream.push("b"), stream.end()]).toEqual([
      "a ",
      "ghs_",
      "b",
      "",
    ]);
  });

  it("shows the text as it is, however it is cut, where it holds no secret", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), (pieces) => {
        expect(streamed(pieces).join("")).toBe(pieces.join(""));
      }),
    );
  });

  it("never shows a secret, however the text around it is cut", () => {
    const text = `before ${SECRET}, again ${SECRET} after`;
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));

        const shown = streamed(pieces).join("");

        expect(shown).toBe("before [redacted], again [redacted] after");
      }),
    );
  });
});
