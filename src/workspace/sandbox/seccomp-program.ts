import { type DeniedCalls, deniedCalls } from "./denied-calls.ts";

/**
 * A filter over system calls, as classic BPF (`struct sock_filter`, linux/filter.h): what ordinary programs never
 * need and attacks on the kernel use is refused, everything else allowed. Calls of another architecture than the
 * machine's, which have other numbers, are refused as a whole.
 */
export const seccompProgram = (architecture: string): Uint8Array | null => {
  const calls = deniedCalls[architecture];
  if (calls === undefined) return null;
  return assemble([
    load(ARCHITECTURE),
    skipIfEqual(calls.audit),
    answer(refuse(ENOSYS)),
    load(NUMBER),
    ...(calls.foreignFrom === null ? [] : [skipIfBelow(calls.foreignFrom), answer(refuse(ENOSYS))]),
    ...[...calls.denied, calls.clone3].flatMap((number) => [skipUnlessEqual(number), answer(refuse(ENOSYS))]),
    ...namespaces(calls),
    ...terminals(calls),
    ...sockets(calls),
    answer(ALLOW),
  ]);
};

/** `clone` that makes a namespace. */
const namespaces = ({ clone }: DeniedCalls): Instruction[] =>
  whenCalled(clone, [
    load(FIRST_ARGUMENT),
    skipUnlessAnyBit(NAMESPACE_FLAGS),
    answer(refuse(EPERM)),
    answer(ALLOW),
  ]);

/** Commands of `ioctl` that type into a terminal in its user's place. */
const terminals = ({ ioctl }: DeniedCalls): Instruction[] =>
  whenCalled(ioctl, [
    load(SECOND_ARGUMENT),
    ...[TIOCSTI, TIOCLINUX].flatMap((command) => [skipUnlessEqual(command), answer(refuse(EPERM))]),
    answer(ALLOW),
  ]);

/** Only the families that programs are written for, and of the kernel's own only the one that lists interfaces. */
const sockets = ({ socket }: DeniedCalls): Instruction[] =>
  whenCalled(socket, [
    load(FIRST_ARGUMENT),
    ...PLAIN_FAMILIES.flatMap((family) => [skipUnlessEqual(family), answer(ALLOW)]),
    skipIfEqual(AF_NETLINK),
    answer(refuse(EAFNOSUPPORT)),
    load(THIRD_ARGUMENT),
    skipUnlessEqual(NETLINK_ROUTE),
    answer(ALLOW),
    answer(refuse(EPROTONOSUPPORT)),
  ]);

/** The call's number has been loaded, and is loaded still when it is another one. */
const whenCalled = (number: number, then: readonly Instruction[]): Instruction[] => [
  { code: 0x15, yes: 0, no: then.length, value: number },
  ...then,
];

/** AF_UNIX, AF_INET, AF_INET6. */
const PLAIN_FAMILIES = [1, 2, 10];
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** CLONE_NEW… of linux/sched.h, time, user, process, network, mount, IPC, name and cgroup namespaces. */
const NAMESPACE_FLAGS = 0x7e020080;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const EPERM = 1;
const ENOSYS = 38;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;
const ALLOW = 0x7fff0000;
const refuse = (errno: number): number => 0x00050000 | errno;

/** Offsets in `struct seccomp_data`; of arguments the lower half, little-endian. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;
const THIRD_ARGUMENT = 32;

type Instruction = { code: number; yes: number; no: number; value: number };

const load = (offset: number): Instruction => ({ code: 0x20, yes: 0, no: 0, value: offset });
const answer = (value: number): Instruction => ({ code: 0x06, yes: 0, no: 0, value });
const skipIfEqual = (value: number): Instruction => ({ code: 0x15, yes: 1, no: 0, value });
const skipUnlessEqual = (value: number): Instruction => ({ code: 0x15, yes: 0, no: 1, value });
const skipUnlessAnyBit = (bits: number): Instruction => ({ code: 0x45, yes: 0, no: 1, value: bits });
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
