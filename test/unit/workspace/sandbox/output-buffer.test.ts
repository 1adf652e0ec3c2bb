import { describe, expect, it } from "vitest";
import { outputBuffer } from "../../../../src/workspace/sandbox/output-buffer.ts";

const collect = (maxBytes: number, chunks: readonly string[]) => {
  const buffer = outputBuffer(maxBytes);
  for (const chunk of chunks) buffer.push(Buffer.from(chunk));
  return buffer.text();
};

describe("outputBuffer", () => {
  it("gives short output back whole, however it came", () => {
    expect(collect(10, ["abc", "", "defg", "hij"])).toEqual({ output: "abcdefghij", omittedBytes: 0 });
    expect(collect(10, [])).toEqual({ output: "", omittedBytes: 0 });
  });

  it("keeps a fifth at the head and the rest at the tail", () => {
    expect(collect(10, ["0123456789", "abcdefghij"])).toEqual({
      output: "01\n[… 10 bytes left out …]\ncdefghij",
      omittedBytes: 10,
    });
  });

  it("counts one byte too many", () => {
    expect(collect(10, ["0123456789a"]).omittedBytes).toBe(1);
  });

  it("never breaks a character, and counts the bytes of those that it drops", () => {
    const { output, omittedBytes } = collect(20, ["€".repeat(20)]);

    expect(output).toBe(`€\n[… ${omittedBytes} bytes left out …]\n€€€€€`);
    expect(omittedBytes).toBe(60 - 18);
  });

  it("keeps only what it must of a flood", () => {
    const buffer = outputBuffer(1000);
    for (let i = 0; i < 10_000; i++) buffer.push(Buffer.from(`${i}\n`));
    const { output, omittedBytes } = buffer.text();

    expect(output.endsWith("9998\n9999\n")).toBe(true);
    expect(omittedBytes + 1000).toBe(buffer.total());
  });

  it("says when the whole of it is no UTF-8", () => {
    const buffer = outputBuffer(100);
    buffer.push(Buffer.from([0x61, 0xff, 0x62]));

    expect(buffer.text()).toEqual({ output: "a\uFFFDb", omittedBytes: 0, malformed: true });
    expect(collect(100, ["a\uFFFDb"])).toEqual({ output: "a\uFFFDb", omittedBytes: 0 });
  });
});
