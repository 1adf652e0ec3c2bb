import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signatureChecker } from "../../../src/forge/webhook-signature.ts";

// The example in GitHub's documentation.
const SECRET = "It's a Secret to Everybody";
const GITHUB = { prefix: "sha256=" } as const;
const BODY = Buffer.from("Hello, World!");
const SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

describe("signatureChecker", () => {
  it("takes the signature of these bytes", () => {
    expect(signatureChecker(SECRET, GITHUB)(BODY, SIGNATURE)).toBe(true);
  });

  it.each([
    ["another secret", "x", BODY, SIGNATURE],
    ["other bytes", SECRET, Buffer.from("Hello, World"), SIGNATURE],
    ["a cut signature", SECRET, BODY, SIGNATURE.slice(0, -1)],
    ["no signature", SECRET, BODY, ""],
    ["letters that look alike", SECRET, BODY, SIGNATURE.replace("e", "é")],
  ])("refuses %s", (_, secret, body, signature) => {
    expect(signatureChecker(secret, GITHUB)(body, signature)).toBe(false);
  });

  it("takes no prefix where the forge has none, and nothing for nothing", () => {
    const verify = signatureChecker(SECRET, { prefix: "" });

    expect(verify(BODY, SIGNATURE.slice("sha256=".length))).toBe(true);
    expect(verify(BODY, SIGNATURE)).toBe(false);
    expect(verify(BODY, "")).toBe(false);
  });

  it("tells bytes apart that are the same text", () => {
    const broken = Buffer.from([0x7b, 0xff, 0x7d]);
    const replaced = Buffer.from(broken.toString("utf8"));
    const signature = `sha256=${createHmac("sha256", "s").update(broken).digest("hex")}`;
    const verify = signatureChecker("s", GITHUB);

    expect([verify(broken, signature), verify(replaced, signature)]).toEqual([true, false]);
  });
});
