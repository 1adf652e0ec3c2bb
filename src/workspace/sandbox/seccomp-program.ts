/**
 * A filter over system calls, as classic BPF (`struct sock_filter`, linux/filter.h): what ordinary programs never
 * need and attacks on the kernel use is refused, everything else allowed. Calls of another architecture than the
 * machine's, which have other numbers, are refused as a whole.
 */
export const seccompProgram = (architecture: string): Uint8Array | null => {
  const machine = machines[architecture];
  if (machine === undefined) return null;
  const { audit, denied, socket, foreignFrom } = machine;
  return assemble([
    load(ARCHITECTURE),
    skipIfEqual(audit),
    answer(refuse(ENOSYS)),
    load(NUMBER),
    ...(foreignFrom === null ? [] : [skipIfBelow(foreignFrom), answer(refuse(ENOSYS))]),
    ...denied.flatMap((number) => [skipUnlessEqual(number), answer(refuse(ENOSYS))]),
    skipIfEqual(socket),
    answer(ALLOW),
    load(FIRST_ARGUMENT),
    ...DENIED_FAMILIES.flatMap((family) => [skipUnlessEqual(family), answer(refuse(EAFNOSUPPORT))]),
    answer(ALLOW),
  ]);
};

type Machine = {
  /** AUDIT_ARCH_… of linux/audit.h. */
  audit: number;
  /** Kernel keys, io_uring, userfaultfd, perf events, BPF, kexec, files by handle. */
  denied: readonly number[];
  socket: number;
  /** First number of the x32 calls. */
  foreignFrom: number | null;
};

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    denied: [248, 249, 250, 425, 426, 427, 323, 298, 321, 246, 320, 304],
    socket: 41,
    foreignFrom: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    denied: [217, 218, 219, 425, 426, 427, 282, 241, 280, 104, 294, 265],
    socket: 198,
    foreignFrom: null,
  },
};

/** AF_ALG and AF_VSOCK: the kernel's ciphers, and the way to the machine's host. */
const DENIED_FAMILIES = [38, 40];

const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const ALLOW = 0x7fff0000;
const refuse = (errno: number): number => 0x00050000 | errno;

/** Offsets in `struct seccomp_data`; the argument's lower half, little-endian. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

type Instruction = { code: number; yes: number; no: number; value: number };

const load = (offset: number): Instruction => ({ code: 0x20, yes: 0, no: 0, value: offset });
const answer = (value: number): Instruction => ({ code: 0x06, yes: 0, no: 0, value });
const skipIfEqual = (value: number): Instruction => ({ code: 0x15, yes: 1, no: 0, value });
const skipUnlessEqual = (value: number): Instruction => ({ code: 0x15, yes: 0, no: 1, value });
const skipIfBelow = (value: number): Instruction => ({ code: 0x35, yes: 0, no: 1, value });

const assemble = (program: readonly Instruction[]): Uint8Array => {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, yes, no, value }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
};
