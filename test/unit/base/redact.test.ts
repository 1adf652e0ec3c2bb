import { describe, expect, it } from "vitest";
import { basicCredentials, redactor } from "../../../src/base/redact.ts";

const TOKEN = "ghs_a/b+c=d&e";

describe("redactor", () => {
  it.each([
    ["as it is", TOKEN],
    ["URL-encoded", encodeURIComponent(TOKEN)],
    ["in base64", Buffer.from(TOKEN).toString("base64")],
    ["in base64 for URLs", Buffer.from(TOKEN).toString("base64url")],
    ["as git's Basic credentials", basicCredentials(TOKEN)],
    ["as Basic credentials without padding", basicCredentials(TOKEN).replace(/=+$/, "")],
  ])("masks a secret %s", (_, form) => {
    expect(redactor([TOKEN])(`fatal: ${form}, ${form}.`)).toBe("fatal: [redacted], [redacted].");
  });

  it("masks a secret of several lines inside JSON", () => {
    const key = '-----BEGIN KEY-----\nabc"d\n-----END KEY-----\n';

    expect(redactor([key])(JSON.stringify({ error: `cannot read ${key}` }))).toBe(
      '{"error":"cannot read [redacted]"}',
    );
  });

  it("takes no character of a secret for a pattern", () => {
    expect(redactor(["a.c+[x-z]$^(1)|\\/"])("a.c+[x-z]$^(1)|\\/ abcc")).toBe("[redacted] abcc");
  });

  it("leaves other text alone, and takes absent and short secrets for none", () => {
    expect(redactor([null, undefined, "", "abc"])("abc stays")).toBe("abc stays");
  });

  it("masks the longer of two secrets that share a beginning", () => {
    expect(redactor(["secret-one", "secret-one-and-more"])("secret-one-and-more secret-one")).toBe(
      "[redacted] [redacted]",
    );
  });
});
