import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signatureChecker } from "../../../src/forge/webhook-signature.ts";

// The example in GitHub's documentation.
const SECRET = "It's a Secret to Everybody";
const BODY = Buffer.from("Hello, World!");
const SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

describe("signatureChecker", () => {
  it("takes the signature of these bytes", () => {
    expect(signatureChecker(SECRET)(BODY, SIGNATURE)).toBe(true);
  });

  it.each([
    ["another secret", "x", BODY, SIGNATURE],
    ["other bytes", SECRET, Buffer.from("Hello, World"), SIGNATURE],
    ["a cut signature", SECRET, BODY, SIGNATURE.slice(0, -1)],
    ["no signature", SECRET, BODY, ""],
    ["letters that look alike", SECRET, BODY, SIGNATURE.replace("e", "é")],
  ])("refuses %s", (_, secret, body, signature) => {
    expect(signatureChecker(secret)(body, signature)).toBe(false);
  });

  it("tells bytes apart that are the same text", () => {
    const broken = Buffer.from([0x7b, 0xff, 0x7d]);
    const replaced = Buffer.from(broken.toString("utf8"));
    const signature = `sha256=${createHmac("sha256", "s").update(broken).digest("hex")}`;
    const verify = signatureChecker("s");

    expect([verify(broken, signature), verify(replaced, signature)]).toEqual([true, false]);
  });
});
