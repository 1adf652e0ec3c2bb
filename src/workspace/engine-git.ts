import { spawn } from "node:child_process";
import { once } from "node:events";
import { AppError, configError } from "../base/errors.ts";
import { basicCredentials, type Redact, redactor } from "../base/redact.ts";
import { gitFailure } from "./git-failure.ts";
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
};

export type GitResult = { exitCode: number; stdout: Buffer; stderr: string };

/**
 * The engine's git: no configuration but the one given here, no hooks, filters, helpers or prompts, an environment
 * of its own. `text` answers the trimmed standard output and throws for an exit code other than 0; `run` answers
 * every exit code. Both throw `git-missing` and `git-timeout`.
 */
export type EngineGit = {
  run(command: GitCommand): Promise<GitResult>;
  text(command: GitCommand): Promise<string>;
  bytes(command: GitCommand): Promise<Buffer>;
};

const LOCAL_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
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
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["push.gpgSign", "false"],
  ["commit.gpgSign", "false"],
  // A pack comes whole or not at all; loose objects of a fetch that was cut off would look like a complete commit.
  ["fetch.unpackLimit", "1"],
  ["gc.auto", "0"],
  ["gc.pruneExpire", "never"],
  ["maintenance.auto", "false"],
  ["checkout.workers", "2"],
  ["index.threads", "true"],
];

export const engineGit = ({
  env,
}: {
  /** This process's environment, of which an allow-list reaches git. */
  env: Readonly<Record<string, string | undefined>>;
}): EngineGit => {
  const inherited = Object.fromEntries(
    INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const run = (command: GitCommand): Promise<GitResult> =>
    runGit(command, { PATH: SYSTEM_PATH, ...inherited, ...environmentOf(command) });
  const bytes = async (command: GitCommand): Promise<Buffer> => {
    const { exitCode, stdout, stderr } = await run(command);
    if (exitCode !== 0) throw gitFailure({ args: command.args, exitCode, stderr, url: command.remote?.url });
    return stdout;
  };
  return { run, bytes, text: async (command) => (await bytes(command)).toString("utf8").trim() };
};

const environmentOf = ({ gitDir, workTree, index, remote, env }: GitCommand): Record<string, string> => ({
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

/** The header goes to the remote's own origin; a redirection would take it elsewhere, so none is followed. */
const authorization = (remote: Remote | undefined): (readonly [string, string])[] => {
  if (remote === undefined || remote.token === null || !/^https?:/i.test(remote.url)) return [];
  const { origin } = new URL(remote.url);
  return [
    [`http.${origin}/.extraHeader`, `Authorization: Basic ${basicCredentials(remote.token)}`],
    ["http.followRedirects", "false"],
  ];
};

const runGit = async (command: GitCommand, env: Record<string, string>): Promise<GitResult> => {
  command.signal?.throwIfAborted();
  const redact = redactor([command.remote?.token]);
  const child = spawn("git", command.args, {
    cwd: command.cwd ?? "/",
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let timedOut = false;
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) killQuietly(-child.pid);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, command.timeoutMs ?? LOCAL_MS);
  command.signal?.addEventListener("abort", stop, { once: true });
  try {
    child.stdin.on("error", () => undefined);
    child.stdin.end(command.stdin ?? "");
    const stdout = gather(child.stdout, stop);
    const stderr = gather(child.stderr, stop);
    const [code] = (await once(child, "close")) as [number | null];
    command.signal?.throwIfAborted();
    if (timedOut) throw timeout(command, redact);
    return { exitCode: code ?? 255, stdout: stdout(), stderr: redact(stderr().toString("utf8")) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw configError("git-missing", "git is not installed.", "Install git 2.39 or newer.");
    throw error;
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener("abort", stop);
  }
};

const gather = (stream: NodeJS.ReadableStream, tooMuch: () => void): (() => Buffer) => {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_OUTPUT_BYTES) tooMuch();
  });
  return () => Buffer.concat(chunks);
};

const timeout = ({ args, remote }: GitCommand, redact: Redact): AppError =>
  new AppError(redact(`git ${args[0]} ${remote?.url ?? ""} took too long`), {
    code: "git-timeout",
    remedy: "retry",
  });

const killQuietly = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};
