import type { AppError } from "../base/errors.ts";
import { basicCredentials } from "../base/redact.ts";
import type { Remote } from "./workspace.ts";

export type GitCommand = {
  args: readonly string[];
  gitDir?: string;
  workTree?: string;
  index?: string;
  /** Absolute; `/` without one, so that git finds no repository by itself. */
  cwd?: string;
  stdin?: string | Uint8Array;
  /** Whose token git may use. */
  remote?: Remote;
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** What it says at most; then it is ended, and what `onTooMuch` answers is thrown. */
  maxOutputBytes?: number;
  onTooMuch?: () => AppError;
  /** Of each file that it writes. */
  maxFileBytes?: number;
  /** Of each piece of memory: what is larger when it is unpacked ends the command. */
  objectBytes?: number;
};

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin";

/** What git may know of this process's environment. */
const INHERITED = [
  "PATH",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTPS_PROXY",
  "https_proxy",
  "http_proxy",
  "ALL_PROXY",
  "all_proxy",
  "NO_PROXY",
  "no_proxy",
];

const SETTINGS: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["core.quotePath", "false"],
  ["core.askPass", ""],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["protocol.file.allow", "always"],
  ["protocol.http.allow", "always"],
  ["protocol.https.allow", "always"],
  ["protocol.ssh.allow", "always"],
  // Whoever answers would choose where this machine asks next, and what it sends there.
  ["http.followRedirects", "false"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["push.gpgSign", "false"],
  ["commit.gpgSign", "false"],
  // A pack comes whole or not at all; loose objects of a fetch that was cut off would look like a complete commit.
  ["fetch.unpackLimit", "1"],
  ["transfer.bundleURI", "false"],
  ["fetch.uriProtocols", ""],
  ["gc.auto", "0"],
  ["gc.pruneExpire", "never"],
  ["maintenance.auto", "false"],
  ["checkout.workers", "2"],
  ["index.threads", "true"],
];

/** Of this process's environment, what git may see. */
export const inheritedEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const inherited: Record<string, string> = { PATH: SYSTEM_PATH };
  for (const name of INHERITED) {
    const value = env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
};

/** What one command adds: where it works, and every setting that git has. */
export const environmentOf = ({
  gitDir,
  workTree,
  index,
  remote,
  env,
  objectBytes,
}: GitCommand): Record<string, string> => ({
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes",
  ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
  ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  ...(objectBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(objectBytes) }),
  ...configuration([...SETTINGS, ...authorization(remote)]),
  ...env,
});

/** Configuration through the environment: argument lists are there for every user of the machine to read. */
const configuration = (settings: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);

/** The header goes to the remote's own origin. */
const authorization = (remote: Remote | undefined): (readonly [string, string])[] => {
  if (remote === undefined || remote.token === null || !/^https?:/i.test(remote.url)) return [];
  const { origin } = new URL(remote.url);
  return [[`http.${origin}/.extraHeader`, `Authorization: Basic ${basicCredentials(remote.token)}`]];
};
