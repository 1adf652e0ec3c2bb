import type { Facts } from "./facts.ts";

/** What a command may have; everything beyond is a weakness. */
export type Expected = {
  /** Of the process outside. */
  outside: { namespaces: Readonly<Record<string, string>>; hostname: string };
  /** Namespaces that it has in common with the outside. */
  shared: readonly string[];
  uid: number;
  /** Names of variables beside the usual ones. */
  variables: readonly string[];
  /** null: whichever its system has. */
  accounts: readonly string[] | null;
  /** Whether set-uid bits mean nothing on any file system. */
  ignoresSetuid: boolean;
  /** Where it may write. */
  writable: readonly string[];
  devices: readonly string[];
  /** Names in each hidden directory that lead to something that is shown. */
  hidden: readonly (readonly string[])[];
  limits: { processes: number; memory: number } | null;
  /** False where there is no filter for this machine. */
  filtersCalls: boolean;
};

const VARIABLES = ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_", "HOSTNAME"];
const STANDARD = [0, 1, 2];

/** Sentences without a subject's end: "it shares the network with the host". Empty when the sandbox holds. */
export const weaknessesOf = (facts: Facts, expected: Expected): string[] => [
  ...identity(facts, expected),
  ...namespaces(facts, expected),
  ...rights(facts, expected),
  ...files(facts, expected),
  ...resources(facts, expected),
];

const identity = ({ status, accounts, variables }: Facts, expected: Expected): string[] => {
  const usual = [...VARIABLES, ...expected.variables];
  const strangers = accounts.filter((name) => !(expected.accounts ?? accounts).includes(name));
  const ids = `${status.Uid ?? ""}\t${status.Gid ?? ""}`.split(/\s+/);
  const strange = [...new Set(variables.filter((name) => !usual.includes(name)))];
  return [
    ...when(
      ids.some((id) => id !== String(expected.uid)),
      `commands run as user ${ids[0]}`,
    ),
    ...when(strangers.length > 0, "it shows the accounts of the host"),
    ...when(strange.length > 0, `it shows the environment: ${strange.slice(0, 3).join(", ")}`),
  ];
};

const NAMES: Readonly<Record<string, string>> = {
  user: "users",
  mnt: "mounts",
  pid: "processes",
  net: "network",
  ipc: "shared memory",
  uts: "host name",
  cgroup: "control groups",
};

const namespaces = (facts: Facts, { outside, shared }: Expected): string[] => {
  const common = Object.keys(NAMES).filter(
    (name) => !shared.includes(name) && facts.namespaces[name] === outside.namespaces[name],
  );
  const ownNetwork = !shared.includes("net");
  const links = facts.interfaces.filter((name) => name !== "lo");
  return [
    ...common.map((name) => `it shares the ${NAMES[name]} with the host`),
    ...when(ownNetwork && links.length > 0, `it has a network: ${links.join(", ")}`),
    ...when(
      ownNetwork && facts.abstractSockets.length > 0,
      `it reaches sockets: ${facts.abstractSockets[0]}`,
    ),
    ...when(facts.hostname === outside.hostname, "it shows the host's name"),
  ];
};

const rights = ({ status, done }: Facts, { filtersCalls }: Expected): string[] => {
  const capable = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].filter(
    (name) => !/^0+$/.test(status[name] ?? ""),
  );
  return [
    ...when(capable.length > 0, `commands have capabilities (${capable.join(", ")})`),
    ...when(status.NoNewPrivs !== "1", "commands can gain privileges"),
    ...when(filtersCalls && status.Seccomp !== "2", "no filter refuses system calls"),
    ...when(done.includes("userns"), "commands can make user namespaces"),
    ...when(done.includes("terminal"), "it reaches the terminal"),
  ];
};

const files = (facts: Facts, expected: Expected): string[] => {
  const { writable, devices, hidden, ignoresSetuid } = expected;
  const points = facts.mounts.filter((mount) => mount.writable && !writable.includes(mount.point));
  const privileged = facts.mounts.filter(({ setuid }) => setuid && ignoresSetuid).map(({ point }) => point);
  const strange = facts.devices.filter((name) => !devices.includes(name));
  const shown = facts.hidden.flatMap((names, index) =>
    names.filter((name) => !(hidden[index] ?? []).includes(name)),
  );
  return [
    ...when(facts.done.includes("canary"), "it shows a file of the host"),
    ...when(facts.done.includes("shadow"), "it shows /etc/shadow"),
    ...when(facts.mounts.length === 0, "its mounts cannot be told"),
    ...when(points.length > 0, `it can write ${points.map(({ point }) => point).join(", ")}`),
    ...when(privileged.length > 0, `programs with the set-uid bit gain rights in ${privileged.join(", ")}`),
    ...when(strange.length > 0, `it has devices: ${strange.slice(0, 5).join(", ")}`),
    ...when(shown.length > 0, `it shows what is hidden: ${shown.slice(0, 3).join(", ")}`),
    ...when(
      facts.descriptors.some((fd) => !STANDARD.includes(fd)) && facts.descriptors.length > 0,
      "files that the engine has open are open in it",
    ),
  ];
};

const resources = ({ limits }: Facts, { limits: expected }: Expected): string[] => {
  if (expected === null) return [];
  const above = (name: string, most: number): boolean =>
    Number.isFinite(most) && !(Number(limits[name] || Number.NaN) <= most);
  return [
    ...when(above("Max processes", expected.processes), "commands may start any number of processes"),
    ...when(above("Max data size", expected.memory), "commands may take any amount of memory"),
    ...when(limits["Max core file size"] !== "0", "memory of commands is written to files when they crash"),
  ];
};

const when = (found: boolean, weakness: string): string[] => (found ? [weakness] : []);
