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
