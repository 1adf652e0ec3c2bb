import { NAMESPACES } from "./probe.ts";

export type MountFact = { point: string; writable: boolean; setuid: boolean };

/** What a command saw, as `probeScript` told it. */
export type Facts = {
  /** By name: `user:[4026531837]`. */
  namespaces: Readonly<Record<string, string>>;
  /** Of `/proc/self/status`, by name. */
  status: Readonly<Record<string, string>>;
  /** Of `/proc/self/limits`, by name: the soft ones. */
  limits: Readonly<Record<string, string>>;
  mounts: readonly MountFact[];
  /** Names of variables: its own and the first process's. */
  variables: readonly string[];
  interfaces: readonly string[];
  abstractSockets: readonly string[];
  accounts: readonly string[];
  hostname: string;
  devices: readonly string[];
  descriptors: readonly number[];
  /** Names in each directory that has to be empty, in their order. */
  hidden: readonly (readonly string[])[];
  /** What it could do of what it tried: `canary`, `shadow`, `userns`, `terminal`, `owner`. */
  done: readonly string[];
};

/** undefined when the probe did not come to its end. */
export const factsOf = (output: string): Facts | undefined => {
  const parts = partsOf(output);
  if (!parts.has("end")) return undefined;
  const lines = (name: string): string[] => (parts.get(name) ?? "").split("\n").filter((line) => line !== "");
  const namespaces = lines("namespaces");
  return {
    namespaces: Object.fromEntries(NAMESPACES.map((name, index) => [name, namespaces[index] ?? ""])),
    status: Object.fromEntries(lines("/proc/self/status").map(pair)),
    limits: Object.fromEntries(lines("/proc/self/limits").map(limitOf)),
    mounts: lines("/proc/self/mountinfo").map(mountOf),
    variables: ["/proc/self/environ", "/proc/1/environ"].flatMap((name) =>
      variablesOf(parts.get(name) ?? ""),
    ),
    interfaces: lines("/proc/net/dev").flatMap((line) => /^\s*(\S+):/.exec(line)?.[1] ?? []),
    abstractSockets: lines("/proc/net/unix").flatMap((line) => /\s(@\S+)$/.exec(line)?.[1] ?? []),
    accounts: lines("/etc/passwd").map((line) => line.split(":")[0] ?? ""),
    hostname: lines("/proc/sys/kernel/hostname")[0] ?? "",
    devices: lines("devices"),
    descriptors: lines("descriptors").map(Number),
    hidden: [...parts.keys()].filter((name) => name.startsWith("hidden ")).map(lines),
    done: lines("done"),
  };
};

const partsOf = (output: string): Map<string, string> => {
  const [, ...pieces] = `\n${output}`.split(/\n==> (.*) <==\n/);
  return new Map(
    pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? ""] as const] : [])),
  );
};

const pair = (line: string): [string, string] => {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
};

/** `Max processes             40                   40                   processes`. */
const limitOf = (line: string): [string, string] => [
  line.slice(0, 26).trim(),
  line.slice(26).trim().split(/\s+/)[0] ?? "",
];

/** See proc(5): the point is the fifth field, its options the sixth. */
const mountOf = (line: string): MountFact => {
  const [, , , , point = "", options = ""] = line.split(" ");
  const words = options.split(",");
  return { point, writable: words.includes("rw"), setuid: !words.includes("nosuid") };
};

const variablesOf = (environment: string): string[] =>
  environment
    .split("\0")
    .filter((each) => each.includes("="))
    .map((each) => each.slice(0, each.indexOf("=")).trim());
