import type { HostSystem } from "./host-system.ts";
import type { Mount } from "./sandbox.ts";

/** What one command may have. Sizes in bytes; Infinity: no limit. */
type Ceilings = { memory: number; processes: number; fileSize: number; openFiles: number };

export type Profile = {
  system: HostSystem;
  toolchains: readonly Mount[];
  /** Directories of what is shown that are empty inside. */
  hidden: readonly string[];
  /** What the command works on; may lie in hidden directories. */
  mounts: readonly Mount[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  sharesNetwork: boolean;
  /** False: the standard error goes its own way. */
  mergesStreams: boolean;
  /** Files that are made anew, and the descriptors with their text. */
  files: readonly { path: string; fd: number }[];
  ceilings: Ceilings;
  /** File descriptor of the seccomp program; null where there is none for this machine. */
  seccompFd: number | null;
  /** File descriptor of `environmentArguments`. */
  environmentFd: number;
};

const SANDBOX_HOME = "/home/uwf";
export const INSIDE_ID = "1000";
/** Of the synthetic `/etc/passwd`. */
export const ACCOUNTS = ["root", "uwf", "nobody"];
/** What bubblewrap's `--dev` makes: the devices, and links. */
const NODES = ["null", "zero", "full", "random", "urandom", "tty"];
export const DEVICES = [...NODES, "core", "fd", "ptmx", "pts", "shm", "stderr", "stdin", "stdout"];
/** Where commands may write besides what they work on. */
export const WRITABLE = [
  ...["/proc", "/dev/pts", "/dev/shm", "/tmp", SANDBOX_HOME],
  ...NODES.map((name) => `/dev/${name}`),
];
const KIB = 1024;
const MIB = 1024 * KIB;
/** POSIX counts a file's size in these. */
const BLOCK = 512;
const TMP_BYTES = 1024 * MIB;
const HOME_BYTES = 1024 * MIB;
const SHM_BYTES = 256 * MIB;

const STATUS_FD = 3;

/** Files that name nobody of the host. Where the host's network is shared, its names go with it. */
export const syntheticFiles = (
  sharesNetwork: boolean,
): readonly (readonly [path: string, text: string])[] => [
  [
    "/etc/passwd",
    `root:x:0:0:root:/root:/bin/sh\nuwf:x:${INSIDE_ID}:${INSIDE_ID}:uwf:${SANDBOX_HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/sh\n`,
  ],
  ["/etc/group", `root:x:0:\nuwf:x:${INSIDE_ID}:\nnogroup:x:65534:\n`],
  ["/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"],
  ...(sharesNetwork ? [] : [["/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"] as const]),
];

/**
 * The arguments of bubblewrap (0.8 or newer): new namespaces of every kind, no capability, no further user
 * namespace, an allow-list of read-only mounts over an empty root, sized memory file systems, and the command last,
 * below its resource limits. The limits are set inside, where processes are counted for the sandbox alone.
 */
export const bubblewrapArguments = (profile: Profile, argv: readonly string[]): string[] => [
  ...["--unshare-all", "--unshare-user", "--disable-userns"],
  ...(profile.sharesNetwork ? ["--share-net"] : []),
  ...["--cap-drop", "ALL", "--new-session", "--die-with-parent"],
  ...["--uid", INSIDE_ID, "--gid", INSIDE_ID, "--hostname", "uwf"],
  ...["--json-status-fd", String(STATUS_FD)],
  ...(profile.seccompFd === null ? [] : ["--seccomp", String(profile.seccompFd)]),
  ...fileSystem(profile),
  ...["--clearenv", "--args", String(profile.environmentFd)],
  ...["--chdir", profile.cwd, "--"],
  ...limited(argv, profile),
];

const fileSystem = ({ system, toolchains, hidden, mounts, files, sharesNetwork }: Profile): string[] => [
  ...["--perms", "0755", "--dir", "/etc"],
  ...system.readOnly.flatMap((path) => ["--ro-bind", path, path]),
  ...system.links.flatMap(([link, target]) => ["--symlink", target, link]),
  ...files.flatMap(({ path, fd }) => ["--perms", "0444", "--file", String(fd), path]),
  ...(sharesNetwork ? ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"] : []),
  ...(sharesNetwork ? ["--ro-bind-try", "/etc/hosts", "/etc/hosts"] : []),
  ...["--proc", "/proc", "--dev", "/dev"],
  ...system.closed.flatMap((path) => ["--ro-bind", "/dev/null", path]),
  ...["--size", String(SHM_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
  ...["--size", String(TMP_BYTES), "--perms", "1777", "--tmpfs", "/tmp"],
  ...["--size", String(HOME_BYTES), "--perms", "0755", "--tmpfs", SANDBOX_HOME],
  ...[
    "--perms",
    "0755",
    "--dir",
    "/run",
    "--perms",
    "0755",
    "--dir",
    "/var",
    "--symlink",
    "/tmp",
    "/var/tmp",
  ],
  ...installed(toolchains, hidden),
  ...mounts.flatMap(bound),
  ...hidden.flatMap((path) => ["--remount-ro", path]),
  ...["--remount-ro", "/"],
];

const bound = ({ source, target, writable }: Mount): string[] => [
  writable ? "--bind" : "--ro-bind",
  source,
  target,
];

/** Outer directories first: a toolchain may lie in a hidden directory, or hold one. */
const installed = (toolchains: readonly Mount[], hidden: readonly string[]): string[] =>
  [
    ...toolchains.map((mount) => ({ target: mount.target, args: bound(mount) })),
    ...hidden.map((target) => ({
      target,
      args: ["--size", String(MIB), "--perms", "0755", "--tmpfs", target],
    })),
  ]
    .sort((a, b) => a.target.length - b.target.length)
    .flatMap(({ args }) => args);

/**
 * The arguments that set the command's variables, each ended by NUL: bubblewrap reads them from a descriptor, because everybody on
 * the machine sees the arguments that a program is started with, and the variables may be keys.
 */
export const environmentArguments = ({ env, system }: Pick<Profile, "env" | "system">): string => {
  const all = { PATH: system.path, HOME: SANDBOX_HOME, USER: "uwf", LOGNAME: "uwf", TMPDIR: "/tmp", ...env };
  return Object.entries(all)
    .map(([name, value]) => `--setenv\0${name}\0${value}\0`)
    .join("");
};

/**
 * The limits are the shell's own, not a further program's. Memory is bounded per process, by its private writable mappings: an
 * address space limit stops Node and Java. Shells that have no `-u` call it `-p`.
 */
const limited = (
  argv: readonly string[],
  { ceilings: { memory, processes, fileSize, openFiles }, mergesStreams }: Profile,
): string[] => {
  const limits = [
    ...[
      { option: "-d", value: memory / KIB },
      { option: "-f", value: fileSize / BLOCK },
    ],
    ...[
      { option: "-n", value: openFiles },
      { option: "-c", value: 0 },
    ],
  ];
  const script = [
    "set -e",
    ...limits
      .filter(({ value }) => Number.isFinite(value))
      .map(({ option, value }) => `ulimit ${option} ${Math.floor(value)}`),
    ...(Number.isFinite(processes) ? [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}`] : []),
    "echo 500 2>/dev/null >/proc/self/oom_score_adj || :",
    `exec "$@"${mergesStreams ? " 2>&1" : ""}`,
  ];
  return ["/bin/sh", "-c", script.join("; "), "sh", ...argv];
};
