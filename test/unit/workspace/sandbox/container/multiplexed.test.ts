import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demultiplexer } from "../../../../../src/workspace/sandbox/container/multiplexed.ts";

const frame = (stream: number, text: string): Buffer => {
  const bytes = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

describe("demultiplexer", () => {
  it("takes the streams apart, wherever the pieces are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string({ unit: "binary" }))),
        fc.array(fc.nat(20), { minLength: 1 }),
        (frames, cuts) => {
          const heard = { 1: "", 2: "" };
          const feed = demultiplexer({
            stdout: (bytes) => {
              heard[1] += bytes.toString("latin1");
            },
            stderr: (bytes) => {
              heard[2] += bytes.toString("latin1");
            },
          });
          const all = Buffer.concat(frames.map(([stream, text]) => frame(stream, text)));

          for (let at = 0, turn = 0; at < all.length; turn++) {
            const length = 1 + (cuts[turn % cuts.length] ?? 0);
            feed(all.subarray(at, at + length));
            at += length;
          }

          for (const stream of [1, 2] as const) {
            const said = frames.filter(([each]) => each === stream).map(([, text]) => text);
            expect(heard[stream]).toBe(Buffer.from(said.join("")).toString("latin1"));
          }
        },
      ),
    );
  });
});
