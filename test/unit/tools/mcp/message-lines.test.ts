import { describe, expect, it } from "vitest";
import { messageLines } from "../../../../src/tools/mcp/message-lines.ts";

const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });
const line = (id: number): string => `${JSON.stringify(message(id))}\n`;

describe("what a program prints", () => {
  it("is read line by line, however it comes in pieces", () => {
    const lines = messageLines();
    const text = line(1) + line(2);

    const found = [...text].flatMap((char) => lines.push(char) ?? []);

    expect(found).toEqual([message(1), message(2)]);
    expect(lines.push(`${line(3)}${line(4).replace("\n", "\r\n")}{"jsonrpc"`)).toEqual([
      message(3),
      message(4),
    ]);
  });

  it("is left out where it is no message", () => {
    expect(messageLines().push(`starting…\n[1]\n{}\n{"jsonrpc":"2.0"}\nnull\n{broken\n${line(1)}`)).toEqual([
      message(1),
    ]);
  });

  it("may be much, but not at once", () => {
    const lines = messageLines();
    const million = "x".repeat(1e6);

    for (let times = 0; times < 100; times++) {
      lines.asked();
      expect(lines.push(`${million}\n`)).toEqual([]);
    }
    const flood = Array.from({ length: 20 }, () => lines.push(million));

    expect(flood.at(-1)).toBeNull();
  });

  it("may not be one message without end, though it is asked again and again", () => {
    const lines = messageLines();

    const pieces = Array.from({ length: 20 }, () => {
      lines.asked();
      return lines.push("x".repeat(1e6));
    });

    expect(pieces.at(-1)).toBeNull();
  });

  it("may not be ever so many messages", () => {
    expect(messageLines().push("{}\n".repeat(5_001))).toBeNull();
  });
});
