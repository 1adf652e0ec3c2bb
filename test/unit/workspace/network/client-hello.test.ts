import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClientHello } from "../../../../src/workspace/network/client-hello.ts";
import { clientHello, extension, helloOf, serverNames } from "../../../fixtures/client-hellos.ts";

describe("readClientHello", () => {
  it("reads what a real client says, however it is cut", async () => {
    const bytes = await clientHello("example.org");

    expect(readClientHello(bytes)).toEqual({ kind: "hello", serverName: "example.org", isHidden: false });
    for (let size = 0; size < bytes.length; size++)
      expect(readClientHello(bytes.subarray(0, size)).kind).toBe("incomplete");
  });

  it("reads one that names no server", async () => {
    expect(readClientHello(await clientHello(null))).toEqual({
      kind: "hello",
      serverName: null,
      isHidden: false,
    });
  });

  it.each([1, 2, 7, 100])("reads it in records of %i bytes", (size) => {
    const names = serverNames([0, "example.org"]);

    expect(readClientHello(helloOf([names], size))).toMatchObject({ serverName: "example.org" });
  });

  it("sees that another name is hidden in it", () => {
    const hello = helloOf([serverNames([0, "example.org"]), extension(0xfe0d, Buffer.alloc(8))]);

    expect(readClientHello(hello)).toMatchObject({ kind: "hello", isHidden: true });
  });

  it.each<[string, Buffer]>([
    ["two names", helloOf([serverNames([0, "a.example"], [0, "b.example"])])],
    ["a name of another kind", helloOf([serverNames([1, "a.example"])])],
    ["an empty name", helloOf([serverNames([0, ""])])],
    ["the extension twice", helloOf([serverNames([0, "a.example"]), serverNames([0, "a.example"])])],
    ["something behind the names", helloOf([extension(0, Buffer.from([0, 4, 0, 0, 1, 97, 0]))])],
    ["no ClientHello", Buffer.from([22, 3, 3, 0, 4, 2, 0, 0, 0])],
    ["no handshake", Buffer.from([23, 3, 3, 0, 1, 0])],
    ["another protocol", Buffer.from("GET / HTTP/1.1\r\n")],
    [
      "more records than any program makes",
      Buffer.concat(
        Array.from({ length: 1_025 }, (_, at) => Buffer.from([22, 3, 1, 0, 1, at === 0 ? 1 : 0])),
      ),
    ],
    ["an empty record", Buffer.from([22, 3, 1, 0, 0])],
    ["a length beyond all measure", Buffer.from([22, 3, 1, 0, 4, 1, 2, 0, 0])],
  ])("does not read %s", (_, bytes) => {
    expect(readClientHello(bytes)).toEqual({ kind: "invalid" });
  });

  it("answers whatever it is given, and never a name that is not in it", () => {
    const hello = helloOf([serverNames([0, "example.org"])]);
    const change = fc.record({ at: fc.nat(hello.length - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(hello.length), (changes, size) => {
        const bytes = Buffer.from(hello.subarray(0, size));
        for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
        const read = readClientHello(bytes);
        if (read.kind === "hello" && read.serverName !== null)
          expect(bytes.includes(Buffer.from(read.serverName, "latin1"))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readClientHello(Buffer.from(bytes)).kind).toMatch(/^(incomplete|invalid)$/);
      }),
    );
  });
});
