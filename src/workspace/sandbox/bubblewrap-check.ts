import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, messageOf } from "../../base/errors.ts";
import type { Sandbox } from "./sandbox.ts";

const CHECK_MS = 20_000;

/** Says why commands cannot be run, and how that is fixed. */
export const unavailable = (found: string, cause?: unknown): AppError => {
  const reason = MISSING.test(found) ? "bubblewrap is not installed" : found;
  return new AppError(`the sandbox cannot be used: ${reason}`, {
    code: "sandbox-unavailable",
    remedy: "fix-config",
    hint: hintFor(reason),
    cause,
  });
};

/** What the system, or setpriv on its way, says when there is no such program. */
const MISSING = /\bbwrap\b.*(ENOENT|No such file)/;

/**
 * Runs a command and looks from inside for what must not be there: a file of the host, its accounts' passwords,
 * this process's environment, its processes. Throws `sandbox-unavailable`.
 */
export const checkBubblewrap = async (run: Sandbox["run"]): Promise<void> => {
  if (process.platform !== "linux")
    throw unavailable(`bubblewrap runs on Linux, this is ${process.platform}`);
  const folder = await mkdtemp(join(tmpdir(), "uwf-check-"));
  const canary = join(folder, "canary");
  try {
    await writeFile(canary, "visible");
    const script = `[ ! -e ${quote(canary)} ] || echo "a file of the host"
[ ! -r /etc/shadow ] || echo "/etc/shadow"
[ ! -d /proc/${process.pid} ] || [ "$(readlink /proc/${process.pid}/exe)" != ${quote(process.execPath)} ] || echo "this process"
[ -z "$(env | grep -vE '^(PATH|HOME|USER|LOGNAME|TMPDIR|PWD|SHLVL|_)=')" ] || echo "the environment"
echo checked`;
    const { exitCode, output } = await run({
      argv: ["/bin/sh", "-c", script],
      cwd: "/",
      env: {},
      mounts: [],
      timeoutMs: CHECK_MS,
      maxOutputBytes: 10_000,
      signal: new AbortController().signal,
    });
    if (exitCode === 0 && output === "checked\n") return;
    if (exitCode === 0) throw unavailable(`it shows ${output.split("\n").slice(0, -2).join(", ")}`);
    throw unavailable(`a command in it ended with ${exitCode ?? "a time-out"}: ${output.trim()}`);
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(messageOf(error), error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const WITHOUT = "Or accept commands without isolation: --unsafe-no-sandbox.";

const hintFor = (reason: string): string => {
  if (process.platform !== "linux") return WITHOUT;
  if (/not installed|not found|ENOENT|execvp|exec:/i.test(reason))
    return `Install it: apt-get install bubblewrap util-linux (or the same with your system's package manager). ${WITHOUT}`;
  if (/unknown option/i.test(reason))
    return `bubblewrap 0.8 or newer is needed: bwrap --version tells. ${WITHOUT}`;
  if (/namespace|not permitted|permission denied|uid map|RTM_NEWADDR|clone/i.test(reason))
    return `Allow unprivileged user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), user.max_user_namespaces above 0; in a container they must be allowed by its host. ${WITHOUT}`;
  return WITHOUT;
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
