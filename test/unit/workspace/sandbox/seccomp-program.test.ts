import { describe, expect, it } from "vitest";
import { seccompProgram } from "../../../../src/workspace/sandbox/seccomp-program.ts";

const X64 = 0xc000003e;
const ALLOW = 0x7fff0000;
const refused = (errno: number): number => 0x00050000 | errno;

/** Runs the instructions that the program uses, as the kernel does. */
const judge = (
  program: Uint8Array,
  call: { number: number; architecture: number; argument: number },
): number => {
  const code = Buffer.from(program);
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.argument],
  ]);
  let value = 0;
  for (let at = 0; at < code.length; at += 8) {
    const [operation, yes, no, operand] = [
      code.readUInt16LE(at),
      code.readUInt8(at + 2),
      code.readUInt8(at + 3),
      code.readUInt32LE(at + 4),
    ];
    if (operation === 0x20) value = (data.get(operand) ?? Number.NaN) >>> 0;
    else if (operation === 0x15) at += 8 * (value === operand ? yes : no);
    else if (operation === 0x35) at += 8 * (value >= operand ? yes : no);
    else if (operation === 0x06) return operand;
    else throw new Error(`unknown operation ${operation}`);
  }
  throw new Error("the program does not end");
};

describe("seccompProgram", () => {
  const program = seccompProgram("x64") ?? new Uint8Array();
  const call = (number: number, argument = 0, architecture = X64) =>
    judge(program, { number, architecture, argument });

  it("allows ordinary calls and sockets", () => {
    expect([0, 1, 59, 257].map((number) => call(number))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
    expect([1, 2, 10, 16].map((family) => call(41, family))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
  });

  it("refuses keys, io_uring, userfaultfd, perf events and BPF", () => {
    for (const number of [248, 249, 250, 425, 426, 427, 323, 298, 321])
      expect(call(number)).toBe(refused(38));
  });

  it("refuses the host's and the kernel cipher's address families", () => {
    expect([38, 40].map((family) => call(41, family))).toEqual([refused(97), refused(97)]);
  });

  it("refuses another architecture's numbers", () => {
    expect(call(1, 0, 0x40000003)).toBe(refused(38));
    expect(call(0x40000001)).toBe(refused(38));
  });

  it("knows ARM, and makes no filter for a machine that it does not know", () => {
    expect(seccompProgram("arm64")?.length).toBeGreaterThan(0);
    expect(seccompProgram("riscv64")).toBeNull();
  });
});
