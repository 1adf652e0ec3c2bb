import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";

/** What of the host a sandbox shows: always read-only. */
export type HostSystem = {
  /** Directories and files, at their own paths. */
  readOnly: readonly string[];
  /** Small files that everybody may read, at their own paths too: copying one takes a fraction of what mounting it does. */
  copied: readonly string[];
  /** Top-level links such as `/bin`, as link and target. */
  links: readonly (readonly [string, string])[];
  /** Installations outside the system's directories, at their own paths. */
  toolchains: readonly string[];
  /** Files of the kernel that are closed: what they tell helps attacks on it alone. */
  closed: readonly string[];
  /** The search path of commands. */
  path: string;
};

const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const EXTRA_PATH = ["/usr/local/go/bin", "/usr/lib/go/bin", "/opt/homebrew/bin"];
const TOP = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const DIRECTORIES = ["/usr", "/nix/store"];
/** What Docker closes too, and the kernel's addresses and configuration. */
const CLOSED = [
  "config.gz",
  "kallsyms",
  "kcore",
  "key-users",
  "keys",
  "latency_stats",
  "sched_debug",
  "timer_list",
];
/** Of `/etc` only what programs need to start and to trust certificates: no accounts, no keys, no tool's tokens. */
const ETC = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "debian_version",
  "fonts",
  "gai.conf",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "maven/logging",
  "maven/m2.conf",
  "mime.types",
  "os-release",
  "perl",
  "pki/ca-trust",
  "pki/tls/certs",
  "protocols",
  "python3",
  "services",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

type Options = {
  /** The search path of this process: installations of Node on it are shown too. */
  path: string;
  /** Directories that are shown beside the system's. */
  readable: readonly string[];
};

export const hostSystem = ({ path, readable }: Options): HostSystem => {
  const top = TOP.filter(exists);
  const links = top.filter(isLink).map((link) => [link, readlinkSync(link)] as const);
  const javaSettings = ["/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk"];
  const etc = ETC.map((name) => join("/etc", name)).filter(exists);
  const copied = etc.filter(isSmall);
  const readOnly = [
    ...DIRECTORIES,
    ...readable,
    ...top.filter((name) => !isLink(name)),
    ...etc.filter((path) => !copied.includes(path)),
    ...javaSettings,
  ].filter(exists);
  const toolchains = nodeInstallations(path).filter((prefix) => !isBelow(prefix, readOnly));
  const search = [
    ...SYSTEM_PATH,
    ...EXTRA_PATH.filter(exists),
    ...toolchains.map((prefix) => join(prefix, "bin")),
  ];
  const closed = CLOSED.map((name) => join("/proc", name)).filter(exists);
  return { readOnly, copied, links, toolchains, closed, path: search.join(":") };
};

/** The hard limits of this process by name, which a command's limits cannot exceed; Infinity where there is none. */
export const hardLimits = (): ((name: string) => number) => {
  const lines = readFileSync("/proc/self/limits", "utf8").split("\n");
  return (name) => {
    const line = lines.find((each) => each.startsWith(name));
    const value = Number(line?.slice(26).trim().split(/\s+/)[1]);
    return Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
  };
};

/** The installation of the running Node last, so that one which the person chose comes first. */
const nodeInstallations = (path: string): string[] => {
  const onPath = path
    .split(delimiter)
    .filter((entry) => entry.startsWith("/") && !entry.endsWith("/node_modules/.bin"))
    .filter((entry) => exists(join(entry, "npm")) && exists(join(entry, "node")))
    .map((entry) => prefixOf(join(entry, "node")));
  const all = [...onPath, prefixOf(process.execPath)];
  return [...new Set(all)].filter((prefix): prefix is string => prefix !== null);
};

/** The directory above a program's `bin`; null where that would show a home directory or the whole system. */
const prefixOf = (program: string): string | null => {
  const bin = dirname(realpathSync(program));
  const prefix = dirname(bin);
  if (basename(bin) !== "bin" || prefix === "/" || isBelow(homedir(), [prefix])) return null;
  return prefix;
};

const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** What this user may not look into is of no use in the sandbox either: a search path may come from another user. */
const exists = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};
const SMALL_BYTES = 256 * 1024;
const EVERYBODY_READS = 0o004;
const isSmall = (path: string): boolean => {
  const found = statSync(path);
  return found.isFile() && found.size <= SMALL_BYTES && (found.mode & EVERYBODY_READS) !== 0;
};
const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();
