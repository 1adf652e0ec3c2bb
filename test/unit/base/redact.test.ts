import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { basicCredentials, redactor, secretKeeper } from "../../../src/base/redact.ts";

const TOKEN = "ghs_a/b+c=d&e<f>'g\"h i%2Fj";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const each = (text: string, written: (code: number) => string) =>
  [...text].map((character) => written(character.charCodeAt(0))).join("");
const hex = (code: number, length: number) => code.toString(16).padStart(length, "0");

const inHtml = (text: string) =>
  text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#39;");

/** How programs write a secret down. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in JSON": (secret) => JSON.stringify(secret).slice(1, -1),
  "in JSON in JSON": (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  "in JSON's unicode escapes": (secret) => each(secret, (code) => `\\u${hex(code, 4)}`),
  "in a script's hexadecimal escapes": (secret) => each(secret, (code) => `\\x${hex(code, 2).toUpperCase()}`),
  "in octal escapes": (secret) => each(secret, (code) => `\\${code.toString(8).padStart(3, "0")}`),
  "with escaped slashes": (secret) => secret.replaceAll("/", "\\/"),
  "in an address": encodeURIComponent,
  "in an address in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "in a form": (secret) => encodeURIComponent(secret).replaceAll("%20", "+"),
  "in an address, each character escaped": (secret) => each(secret, (code) => `%${hex(code, 2)}`),
  "in an address in an address": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in HTML": inHtml,
  "in HTML in an address in an address": (secret) => encodeURIComponent(encodeURIComponent(inHtml(secret))),
  "in decimal entities": (secret) => each(secret, (code) => `&#${code};`),
  "in hexadecimal entities": (secret) => each(secret, (code) => `&#x${hex(code, 6)};`),
  "in a mail": (secret) => secret.replaceAll("=", "=3D"),
  "in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
  "in hexadecimal in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  backwards: (secret) => [...secret].reverse().join(""),
  "in base64": base64,
  "in base64 without padding": (secret) => base64(secret).replace(/=+$/, ""),
  "in base64 for addresses": (secret) => Buffer.from(secret).toString("base64url"),
  "in git's Basic credentials": basicCredentials,
  "in Basic credentials of some user": (secret) => base64(`somebody:${secret}`),
  "in Basic credentials of a shorter user": (secret) => base64(`me:${secret}`),
  "in Basic credentials of nobody": (secret) => base64(`:${secret}`),
  "as the user of Basic credentials": (secret) => base64(`${secret}:x-oauth-basic`),
  "in base64 within an address": (secret) => encodeURIComponent(base64(`user:${secret}`).replace(/=+$/, "")),
  "with colours in it": (secret) => [...secret].join("\u001b[1;31m"),
  "with characters in it that nobody sees": (secret) => [...secret].join("\u200b\u2060\ufeff\u{e0041}"),
  "with zeros between, as UTF-16": (secret) => [...secret].join("\0"),
  "on several lines": (secret) => `${secret.slice(0, 9)}\n    ${secret.slice(9)}`,
  "on several lines of a shell": (secret) => `${secret.slice(0, 9)}\\\r\n${secret.slice(9)}`,
  "on several lines of a mail": (secret) => `${secret.slice(0, 9)}=\n${secret.slice(9)}`,
  "on several lines in JSON": (secret) =>
    JSON.stringify(`${secret.slice(0, 9)}\n${secret.slice(9)}`).slice(1, -1),
};

describe("redactor", () => {
  it.each(Object.entries(FORMS))("masks a secret %s", (_, form) => {
    expect(redactor([TOKEN])(`fatal: ${form(TOKEN)}, ${form(TOKEN)}.`)).toBe(
      "fatal: [redacted], [redacted].",
    );
  });

  it("masks a secret however it is written in whatever else", () => {
    const secret = fc.stringMatching(/^[!-<>-[\]-~]{12,60}$/);
    const form = fc.constantFrom(...Object.values(FORMS));
    fc.assert(
      fc.property(secret, form, fc.string(), fc.string(), (value, written, before, after) => {
        const shown = redactor([value])(`${before} ${written(value)} ${after}`);
        expect(shown).not.toContain(written(value));
        expect(shown).toContain("[redacted]");
      }),
      { numRuns: 500 },
    );
  });

  it("masks a short secret that holds what reads as an escape, on several lines in JSON", () => {
    expect(redactor(["!>]%00!!!]!!"])("a !>]%00!!!]\\n!! b")).toBe("a [redacted] b");
  });

  it("masks what stands at either end of other bytes in base64, at each of the three places", () => {
    for (let before = 0; before < 7; before++)
      for (let after = 0; after < 4; after++) {
        const bytes = Buffer.concat([
          Buffer.alloc(before, 0xfb),
          Buffer.from(TOKEN),
          Buffer.alloc(after, 0xff),
        ]);
        for (const encoding of ["base64", "base64url"] as const)
          expect(redactor([TOKEN])(`a "${bytes.toString(encoding)}" b`)).toBe('a "[redacted]" b');
      }
  });

  it("masks a whole base64 text on its lines, and not the words around it", () => {
    const lines = base64(`${"x".repeat(100)}${TOKEN}`).replace(/.{76}/g, "$&\n");

    expect(redactor([TOKEN])(`before\n\n${lines}\n\nafter word`)).toMatch(
      /^before\n\n\S*\n?\[redacted\]\n\nafter word$/,
    );
  });

  it("leaves what a secret is assigned to", () => {
    expect(redactor([TOKEN])(`?auth=${base64(TOKEN)}&a=1`)).toBe("?auth=[redacted]&a=1");
    expect(redactor([TOKEN])(`?auth=${base64(`${TOKEN}.`)}&=1`)).toBe("?auth=[redacted]&=1");
  });

  it("masks a secret of several lines inside JSON, and leaves valid JSON", () => {
    const key = '-----BEGIN KEY-----\nabc"d\n-----END KEY-----\n';

    expect(redactor([key])(JSON.stringify({ error: `cannot read ${key}` }))).toBe(
      '{"error":"cannot read [redacted]"}',
    );
  });

  it("masks a secret of several lines as it is", () => {
    const key = "-----BEGIN KEY-----\nabc\n-----END KEY-----\n";

    expect(redactor([key])(`cannot read ${key}again`)).toBe("cannot read [redacted]\nagain");
  });

  it("masks a secret with letters beyond ASCII in addresses, in either case, and in a mail", () => {
    const redact = redactor(["pä=ßword\x01\r\nof lines"]);

    expect(redact("p%C3%A4%3D%C3%9Fword%01%0D%0Aof%20lines.")).toBe("[redacted].");
    expect(redact("p%c3%a4%3d%c3%9fword%01%0d%0aof%20lines.")).toBe("[redacted].");
    expect(redact("p=C3=A4=3D=C3=9Fword=01\r\nof lines.")).toBe("[redacted].");
  });

  it("masks several secrets in their order, whichever is escaped", () => {
    expect(redactor(["one-secret", "another"])("%6fne-secret, another, one-secret")).toBe(
      "[redacted], [redacted], [redacted]",
    );
  });

  it("takes no character of a secret for a pattern", () => {
    expect(redactor(["a.c+[x-z]$^(1)|\\/"])("a.c+[x-z]$^(1)|\\/ abcc")).toBe("[redacted] abcc");
  });

  it("leaves other text alone, and takes absent and short secrets for none", () => {
    expect(redactor([null, undefined, "", "abcde"])("abcde stays")).toBe("abcde stays");
    expect(redactor(["abcde"])("6162636465 stays")).toBe("6162636465 stays");
    expect(redactor(["abcdef"])("abcde, bcdef and abcd\u200bef stay, abcdef")).toBe(
      "abcde, bcdef and abcd\u200bef stay, [redacted]",
    );
  });

  it("takes a secret of which fewer than six characters are seen for none", () => {
    expect(redactor(["a\n\n\n\nb"])("ab stays, a\n\n\n\nb too")).toBe("ab stays, a\n\n\n\nb too");
  });

  it("masks the shortest secret where it is all that there is", () => {
    expect(redactor(["abcdef"])("abcdef")).toBe("[redacted]");
  });

  it("sees a short secret only in one piece, however it is escaped, and a longer one in pieces too", () => {
    const redact = redactor(["theend", "twelve-chars"]);

    expect(redact("the\nend of twelve\n-chars, %74heend")).toBe("the\nend of [redacted], [redacted]");
    expect(redactor(["eleven-char"])("eleven\n-char")).toBe("eleven\n-char");
  });

  it("changes no text that holds no secret, whatever else it holds", () => {
    const redact = redactor([TOKEN, "another secret of this process"]);

    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it("masks the longer of two secrets that share a beginning, and two that overlap, once", () => {
    const redact = redactor(["secret-one", "secret-one-and-more", "more-and-so-on"]);

    expect(redact("secret-one-and-more secret-one")).toBe("[redacted] [redacted]");
    expect(redact("secret-one-and-more-and-so-on.")).toBe("[redacted].");
    expect(redact("secret-onesecret-one")).toBe("[redacted][redacted]");
  });

  it("tells secrets apart that end alike", () => {
    expect(redactor(["first-common-end", "other-common-end"])("third-common-end other-common-end")).toBe(
      "third-common-end [redacted]",
    );
    expect(redactor(["first-common-end"])("First-common-end")).toBe("First-common-end");
  });

  it("does not look into what is compressed", () => {
    const compressed = gzipSync(TOKEN.repeat(3)).toString("base64");

    expect(redactor([TOKEN])(compressed)).toBe(compressed);
  });
});

describe("secretKeeper", () => {
  it("masks what it learns from then on", () => {
    const secrets = secretKeeper([]);
    expect(secrets.redact(`a ${TOKEN}`)).toBe(`a ${TOKEN}`);

    secrets.add(TOKEN);

    expect(secrets.redact(`a ${TOKEN}`)).toBe("a [redacted]");
  });

  it("forgets what opens nothing any more, when there is much of it", () => {
    let now = 1_000;
    const secrets = secretKeeper(["for-as-long-as-it-runs"], { now: () => now });
    const token = (count: number) => `token-number-${count}-of-many`;
    for (let count = 0; count < 64; count++) secrets.add(token(count), { expiresAt: 2_000 });
    secrets.add("renewed-token-again", { expiresAt: 2_000 });
    secrets.add("renewed-token-again", { expiresAt: 9_000 });
    now = 2_000;
    expect(secrets.redact(token(1))).toBe("[redacted]");

    secrets.add("one-more-token", { expiresAt: 9_000 });

    expect(secrets.redact(token(1))).toBe(token(1));
    expect(secrets.redact("for-as-long-as-it-runs renewed-token-again one-more-token")).toBe(
      "[redacted] [redacted] [redacted]",
    );
  });

  it("forgets nothing that opens something where the clock was set ahead", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const secrets = secretKeeper([]);
    const token = (count: number) => `token-number-${count}-of-many`;
    for (let count = 0; count < 64; count++) secrets.add(token(count), { expiresAt: Date.now() + 60_000 });

    vi.setSystemTime(Date.now() + 3_600_000);
    secrets.add("one-more-token", { expiresAt: Date.now() + 60_000 });

    expect(secrets.redact(token(1))).toBe("[redacted]");
    vi.useRealTimers();
  });

  it("remembers hundreds of long tokens at once", () => {
    const tokens = Array.from(
      { length: 300 },
      (_, count) => `ghs_${count}_${"eyJhbGciOiJ".repeat(47)}${count}`,
    );
    const secrets = secretKeeper(tokens);

    expect(secrets.redact(`${tokens[7]} ${base64(`me:${tokens[299]}`)} ghs_7_eyJhbGciOiJ`)).toBe(
      "[redacted] [redacted] ghs_7_eyJhbGciOiJ",
    );
  });
});
