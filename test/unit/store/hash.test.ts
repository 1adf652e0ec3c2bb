import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { makeNode } from "../../../src/store/node.ts";
import { hashOf } from "../../../src/store/node-json.ts";

/** Crockford Base32 by arithmetic on one big number: 256 bits and 4 zero bits make 52 digits. */
const base32 = (hex: string): string => {
  let rest = BigInt(`0x${hex}`) << 4n;
  let text = "";
  for (let digit = 0; digit < 52; digit++, rest >>= 5n)
    text = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".charAt(Number(rest & 31n)) + text;
  return text;
};

const hashOfText = (canonical: string): string =>
  base32(createHash("sha256").update(canonical, "utf8").digest("hex"));

const double = (bits: string): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
};

describe("a node's hash", () => {
  it("is SHA-256 of the canonical JSON of type and payload, in Crockford Base32", () => {
    const { hash } = makeNode("text", { text: "hello", encoding: "utf8" });

    expect(hash).toBe(hashOfText('["text",{"encoding":"utf8","text":"hello"}]'));
    expect(hash).toMatch(/^[0-9A-HJKMNP-TV-Z]{52}$/);
  });

  it("differs by type for the same payload", () => {
    expect(hashOf("role-schema", {})).not.toBe(hashOf("output", {}));
  });

  it("follows RFC 8785 3.2.2: literals, numbers, escapes", () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: the RFC's own example
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    const canonical =
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';

    expect(hashOf("output", { value })).toBe(hashOfText(`["output",{"value":${canonical}}]`));
  });

  it("follows RFC 8785 3.2.3: keys sorted by UTF-16 code units", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const canonical =
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}';

    expect(hashOf("output", { value })).toBe(hashOfText(`["output",{"value":${canonical}}]`));
  });

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("follows RFC 8785 appendix B: the double %s is %s", (bits, canonical) => {
    expect(hashOf("output", { value: double(bits) })).toBe(hashOfText(`["output",{"value":${canonical}}]`));
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());

        expect(hashOf("output", { value: reversed })).toBe(hashOf("output", { value }));
      }),
    );
  });

  it("is the same after the payload went through JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const node = makeNode("output", { value: value as Json });

        expect(hashOf("output", JSON.parse(JSON.stringify(node.payload)))).toBe(node.hash);
      }),
    );
  });

  it("tells different values apart", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = hashOf("output", { value: one }) === hashOf("output", { value: other });

        expect(same).toBe(sorted(one) === sorted(other));
      }),
    );
  });
});

/** JSON with sorted keys, by a replacer. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
