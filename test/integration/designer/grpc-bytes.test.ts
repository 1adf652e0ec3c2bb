import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GrpcService } from "../../../src/designer/grpc/serve-grpc.ts";
import { type DesignerClient, designerClient } from "../../rigs/designer-client.ts";
import { grpcDesigner } from "../../rigs/designer-grpc.ts";
import { triageStory } from "../../rigs/designer-story.ts";

let service: GrpcService;
let client: DesignerClient;
let dispose: () => Promise<void>;

beforeEach(async () => {
  ({ service, client, dispose } = await grpcDesigner(triageStory));
});
afterEach(() => dispose());

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
/** A field that has a length: a text or an inner message. */
const field = (number: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(value.length)]), value]);
};
const often = (count: number, bytes: Buffer): Buffer => Buffer.alloc(count * bytes.length, bytes);
const ids = (): Buffer => Buffer.concat([field(1, randomUUID()), field(2, randomUUID())]);

const MILLION = 1_000_000;
const empty = (number: number): Buffer => field(number);
/** All of them within the bytes that a request may have. */
const swollen = [
  ["empty conversations", () => field(4, often(MILLION, empty(4)))],
  ["empty gaps", () => field(4, often(MILLION, empty(6)))],
  ["empty alternatives", () => field(4, often(MILLION, empty(7)))],
  ["empty questions", () => field(4, field(10, often(MILLION, empty(3))))],
  ["states, one after the other", () => often(MILLION, empty(4))],
  ["empty preferences", () => field(6, often(MILLION, empty(6)))],
  ["fields that nobody knows", () => often(MILLION, empty(9))],
  [
    "conversations of 1,000 empty metadata each",
    () => field(4, often(1_000, field(4, often(1_000, empty(4))))),
  ],
] as const satisfies readonly (readonly [string, () => Buffer])[];

const endlessNumber = Buffer.alloc(64, 0xff);

describe("of a caller without the token", () => {
  it.each([
    ...swollen,
    ["bytes that are no message", () => endlessNumber],
    ["more bytes than a request may have", () => field(3, Buffer.alloc(9 * 1024 * 1024))],
  ] as const)("nothing is decoded: %s", async (_, bytes) => {
    for (const token of [null, "a-guess"]) {
      const stranger = designerClient(service.address, token);
      await expect(stranger.send(bytes())).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
      stranger.close();
    }
  });
});

describe("of a caller with the token", () => {
  it.each(swollen)("a request of a million %s is refused, and the next one answered", async (_, bytes) => {
    await expect(client.send(Buffer.concat([ids(), bytes()]))).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining("more fields"),
    });

    expect(await client.send(ids())).not.toEqual([]);
  });

  it("a request larger than any conversation is refused", async () => {
    await expect(client.send(field(3, Buffer.alloc(9 * 1024 * 1024)))).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
  });

  it("a conversation of 1,900 entries with six notes each is taken", async () => {
    const note = (name: string) => field(4, field(1, name), field(2, "7"));
    const entry = field(4, field(1, "user"), field(2, "Sort"), ...["a", "b", "c", "d", "e", "f"].map(note));
    const known = ids();

    const responses = await client.send(
      Buffer.concat([known, field(3, "Sort issues"), field(4, known, often(1_900, entry))]),
    );

    expect(responses.map(String).join("\n")).toContain("What should it tell apart");
  });

  it("a field that nobody knows is passed over, of whatever kind", async () => {
    const unknown = [
      [0x50, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      [0x51, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x52, 3, 0xff, 0xfe, 0xfd],
      [0x55, 1, 2, 3, 4],
    ].map((bytes) => Buffer.from(bytes));

    const responses = await client.send(Buffer.concat([ids(), ...unknown, field(3, "Sort issues")]));

    expect(responses.map(String).join("\n")).toContain("What should it tell apart");
  });

  it.each([
    ["a text that is cut off", Buffer.from([0x0a, 0x7f])],
    ["an inner message that is longer than its own", Buffer.from([0x22, 3, 0x22, 7, 0, 0, 0, 0, 0, 0, 0])],
    ["a number that never ends", endlessNumber],
    ["a length of more than 32 bits", Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f])],
    ["a state that says that it is a number", Buffer.from([0x20, 1])],
    ["a fixed field that is cut off", Buffer.from([0x51, 1])],
    ["a group", Buffer.from([0x53, 0x54])],
  ])("%s is no request", async (_, bytes) => {
    await expect(client.send(bytes)).rejects.toMatchObject({ code: status.INTERNAL });

    expect(await client.send(ids())).not.toEqual([]);
  });

  it("a text that is not UTF-8 is named, and one that has U+FFFD itself is taken", async () => {
    const sent = async (text: Buffer | string): Promise<string> =>
      (await client.send(Buffer.concat([ids(), field(3, text)]))).map(String).join("\n");

    expect(await sent(Buffer.from([0x53, 0xff, 0xfe, 0x74]))).toContain("not valid UTF-8");
    expect(await sent("sort \uFFFD issues")).toContain("What should it tell apart");
  });
});
