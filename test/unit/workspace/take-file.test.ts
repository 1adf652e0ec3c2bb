import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../../src/workspace/take-file.ts";

describe("textOf", () => {
  it("gives every sequence of bytes back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(Buffer.from(bytesOf(textOf(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("keeps text readable, with its byte order mark", () => {
    expect(textOf(Buffer.from("\ufeffgrüße\r\n"))).toEqual({ encoding: "utf8", text: "\ufeffgrüße\r\n" });
    expect(textOf(Buffer.from("a\0b"))).toMatchObject({ encoding: "base64" });
  });
});
