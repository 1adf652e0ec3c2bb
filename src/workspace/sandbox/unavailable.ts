import { AppError } from "../../base/errors.ts";

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

/** Says what a sandbox shows or allows that it must not. */
export const doesNotHold = (weaknesses: readonly string[], hint: string): AppError =>
  new AppError(`the sandbox cannot be used, because it does not hold: ${weaknesses.join("; ")}`, {
    code: "sandbox-unavailable",
    remedy: "fix-config",
    hint: `${hint} ${WITHOUT}`,
  });

/** Says why a container engine runs no command. */
export const engineUnavailable = (found: string, cause?: unknown): AppError =>
  new AppError(`the sandbox cannot be used: the container engine says ${found}`, {
    code: "sandbox-unavailable",
    remedy: "fix-config",
    hint: `${hintForEngine(found)} ${WITHOUT}`,
    cause,
  });

const hintForEngine = (found: string): string => {
  if (/no such image/i.test(found)) return "Bring the image: docker pull <sandbox.container.image>.";
  if (/EACCES/.test(found)) return "Let uwf's user use the engine's socket, sandbox.container.socket.";
  return "Start the engine, and name its socket in sandbox.container.socket.";
};

/** What the system, or nsenter on its way, says when there is no such program. */
const MISSING = /\bbwrap\b.*(ENOENT|No such file)/;

const WITHOUT = "Or accept commands without isolation: --unsafe-no-sandbox.";

const hintFor = (reason: string): string => {
  if (process.platform !== "linux")
    return `On this system a container engine can hold commands: sandbox.kind: container. ${WITHOUT}`;
  if (/not installed|not found|ENOENT|execvp|exec:/i.test(reason))
    return `Install it: apt-get install bubblewrap util-linux (or the same with your system's package manager). ${WITHOUT}`;
  if (/unknown option/i.test(reason))
    return `bubblewrap 0.8 or newer is needed: bwrap --version tells. ${WITHOUT}`;
  if (/namespace|not permitted|permission denied|uid map|RTM_NEWADDR|clone/i.test(reason))
    return `Allow unprivileged user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), user.max_user_namespaces above 0; in a container they must be allowed by its host. ${WITHOUT}`;
  return WITHOUT;
};
