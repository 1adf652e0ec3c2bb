import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHost, readTarget, targetText } from "../../../../src/workspace/network/host-name.ts";

describe("readHost", () => {
  it.each([
    ["example.org", "example.org"],
    ["EXAMPLE.Org.", "example.org"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["a_b.example", "a_b.example"],
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["[::1]", "::1"],
    ["[0:0:0:0:0:0:0:1]", "::1"],
    ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
    ["[2001:DB8::00A]", "2001:db8::a"],
  ])("reads %s as %s", (text, host) => {
    expect(readHost(text)?.text).toBe(host);
  });

  it.each([
    ...["", ".", "..", "a..b", ".a", "a..", "-a.example", "a-.example", "*.example.org"],
    ...[
      "0177.0.0.1",
      "0x7f.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "127.0.0.1.1",
      "1.2.3.256",
      "example.0x",
    ],
    ...[
      "exa%6dple.org",
      "exämple.org",
      "１２７.0.0.1",
      "①②⑦.0.0.1",
      "127。0。0。1",
      "example．org",
      "ⓔxample.org",
    ],
    ...[
      "a b",
      "a\tb",
      "a\0b",
      "a/b",
      "a\\b",
      "a@b",
      "a:b",
      "a#b",
      "a?b",
      "[::1",
      "::1",
      "[::1%eth0]",
      "[g::1]",
      "[127.0.0.1]",
    ],
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}org`,
  ])("does not guess what %j is", (text) => {
    expect(readHost(text)).toBeNull();
  });

  it("never reads what URL parsers read as another host", () => {
    const pieces = fc.constantFrom(
      ..."0123456789abfxX.-_%@:[]/\\#?ÄｅⓄ。\u00ad\t".split(""),
      "0x",
      "127",
      "localhost",
      "xn--",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
        const text = some.join("");
        const host = readHost(text);
        if (host === null || text.includes("_")) return;
        // An invalid label of punycode is no host to them.
        if (!URL.canParse(`http://${text}/`)) return expect(text).toContain("xn--");
        const { hostname } = new URL(`http://${text}/`);
        expect(hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")).toBe(host.text);
      }),
      { numRuns: 20_000 },
    );
  });

  it("reads its own answer as the same", () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), (text, port) => {
        const target = readTarget(`${text}:${port}`, null);
        expect(target).not.toBeNull();
        if (target !== null) expect(readTarget(targetText(target), null)).toEqual(target);
      }),
    );
  });
});

describe("readTarget", () => {
  it("takes a port, or the one it is given", () => {
    expect(readTarget("example.org:8443", 80)?.port).toBe(8443);
    expect(readTarget("example.org", 80)?.port).toBe(80);
    expect(readTarget("example.org", null)).toBeNull();
  });

  it.each([
    ...[
      "example.org:",
      "example.org:0",
      "example.org:080",
      "example.org:65536",
      "example.org:99999",
      "example.org:-1",
    ],
    ...["example.org:80:80", "example.org:http", "example.org: 80", "a@example.org:80", "example.org:80/"],
    ...[
      "http://example.org:80",
      "example.org:0x50",
      "example.org:８０",
      "example.org:80\n",
      ":80",
      "[::1]80",
    ],
  ])("does not take %j", (text) => {
    expect(readTarget(text, null)).toBeNull();
  });
});
