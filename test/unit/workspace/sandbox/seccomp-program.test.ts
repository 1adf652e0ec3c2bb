import { describe, expect, it } from "vitest";
import { seccompProgram } from "../../../../src/workspace/sandbox/seccomp-program.ts";

const X64 = 0xc000003e;
const ALLOW = 0x7fff0000;
const refused = (errno: number): number => 0x00050000 | errno;

/** Runs the instructions that the program uses, as the kernel does. */
const judge = (
  program: Uint8Array,
  call: { number: number; architecture: number; arguments: readonly number[] },
): number => {
  const code = Buffer.from(program);
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    ...call.arguments.map((value, index) => [16 + 8 * index, value] as const),
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
    else if (operation === 0x45) at += 8 * ((value & operand) === 0 ? no : yes);
    else if (operation === 0x35) at += 8 * (value >= operand ? yes : no);
    else if (operation === 0x06) return operand;
    else throw new Error(`unknown operation ${operation}`);
  }
  throw new Error("the program does not end");
};

describe("seccompProgram", () => {
  const program = seccompProgram("x64") ?? new Uint8Array();
  const call = (number: number, args: readonly number[] = [], architecture = X64) =>
    judge(program, { number, architecture, arguments: [...args, 0, 0, 0].slice(0, 3) });

  it("allows ordinary calls and sockets", () => {
    expect([0, 1, 59, 257].map((number) => call(number))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
    expect([1, 2, 10, 16].map((family) => call(41, [family]))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
  });

  it("refuses keys, io_uring, userfaultfd, perf events, BPF and mounts", () => {
    for (const number of [248, 249, 250, 425, 426, 427, 323, 298, 321, 165, 430, 272])
      expect(call(number)).toBe(refused(38));
  });

  it("allows threads and processes, and refuses those that make a namespace", () => {
    const [thread, fork] = [0x3d0f00, 0x1200011];

    expect([thread, fork].map((flags) => call(56, [flags]))).toEqual([ALLOW, ALLOW]);
    for (const namespace of [0x10000000, 0x20000, 0x40000000, 0x20000000, 0x80])
      expect(call(56, [fork | namespace])).toBe(refused(1));
    expect(call(435)).toBe(refused(38));
  });

  it("refuses every address family but the usual ones", () => {
    const others = Array.from({ length: 46 }, (_, family) => family).filter(
      (family) => ![1, 2, 10, 16].includes(family),
    );

    for (const family of others) expect(call(41, [family])).toBe(refused(97));
  });

  it("allows of netlink the interfaces' alone", () => {
    expect(call(41, [16, 3, 0])).toBe(ALLOW);
    for (const protocol of [4, 9, 12, 15]) expect(call(41, [16, 3, protocol])).toBe(refused(93));
  });

  it("refuses to type into a terminal, and no other command to it", () => {
    expect([0x5412, 0x541c].map((command) => call(16, [0, command]))).toEqual([refused(1), refused(1)]);
    expect([0x5401, 0x5413].map((command) => call(16, [0, command]))).toEqual([ALLOW, ALLOW]);
  });

  it("refuses another architecture's numbers", () => {
    expect(call(1, [], 0x40000003)).toBe(refused(38));
    expect(call(0x40000001)).toBe(refused(38));
  });

  it("knows ARM, and makes no filter for a machine that it does not know", () => {
    expect(seccompProgram("arm64")?.length).toBeGreaterThan(0);
    expect(seccompProgram("riscv64")).toBeNull();
  });
});
