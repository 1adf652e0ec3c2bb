import { spawn } from "node:child_process";
import { once } from "node:events";
import { AppError, configError } from "../base/errors.ts";
import { type Redact, redactor } from "../base/redact.ts";
import { environmentOf, type GitCommand, inheritedEnvironment } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";

type GitResult = { exitCode: number; stdout: Buffer; stderr: string };

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
/** What a server says beside the answer is kept from its end. */
const MAX_STDERR_BYTES = 64 * 1024;
/** The shell's unit for the size of a file. */
const BLOCK = 512;
export const engineGit = ({
  env,
}: {
  /** This process's environment, of which an allow-list reaches git. */
  env: Readonly<Record<string, string | undefined>>;
}): EngineGit => {
  const inherited = inheritedEnvironment(env);
  const run = (command: GitCommand): Promise<GitResult> =>
    runGit(command, { ...inherited, ...environmentOf(command) });
  const bytes = async (command: GitCommand): Promise<Buffer> => {
    const { exitCode, stdout, stderr } = await run(command);
    if (exitCode !== 0) throw gitFailure({ args: command.args, exitCode, stderr, url: command.remote?.url });
    return stdout;
  };
  return { run, bytes, text: async (command) => (await bytes(command)).toString("utf8").trim() };
};

const runGit = async (command: GitCommand, env: Record<string, string>): Promise<GitResult> => {
  command.signal?.throwIfAborted();
  const redact = redactor([command.remote?.token]);
  const [program, ...args] = withFileLimit(["git", ...command.args], command.maxFileBytes);
  const child = spawn(program, args, {
    cwd: command.cwd ?? "/",
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let timedOut = false;
  let tooMuch = false;
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
    const stdout = gather(child.stdout, command.maxOutputBytes ?? MAX_OUTPUT_BYTES, () => {
      tooMuch = true;
      stop();
    });
    const stderr = tail(child.stderr, MAX_STDERR_BYTES);
    const [code] = (await once(child, "close")) as [number | null];
    command.signal?.throwIfAborted();
    if (timedOut) throw timeout(command, redact);
    if (tooMuch) throw (command.onTooMuch ?? (() => saidTooMuch(command, redact)))();
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

/** A file that would grow past the limit is an error for the program that writes it, which then says so. */
const withFileLimit = (argv: [string, ...string[]], bytes: number | undefined): [string, ...string[]] =>
  bytes === undefined
    ? argv
    : ["sh", "-c", 'trap "" XFSZ; ulimit -f "$0" && exec "$@"', String(Math.ceil(bytes / BLOCK)), ...argv];

const gather = (stream: NodeJS.ReadableStream, most: number, onTooMuch: () => void): (() => Buffer) => {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
};

const tail = (stream: NodeJS.ReadableStream, most: number): (() => Buffer) => {
  let kept = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > 2 * most) kept = kept.subarray(-most);
  });
  return () => kept.subarray(-most);
};

const saidTooMuch = ({ args, remote }: GitCommand, redact: Redact): AppError =>
  new AppError(redact(`git ${args[0]} ${remote?.url ?? ""} answers more than can be read`), {
    code: "git-too-much",
    remedy: "fix-input",
  });

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
