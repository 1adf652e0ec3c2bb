import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** The variable that every process of one command inherits. */
export const RUN_MARKER = "UWF_COMMAND_ID";

const PASSES = 20;

/** Ends a process; one that is gone already is no failure. */
export const killProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

/** Ends a process group. */
export const killGroup = (leader: number): void => killProcess(-leader);

/**
 * Ends what a command left behind: its group, and on Linux also processes that moved to another group or session
 * but still carry the command's marker in their environment or belong to its session. Looks again until a pass
 * finds nothing, because a process may fork while it is looked at.
 */
export const killLeftovers = async (leader: number, marker: string): Promise<void> => {
  killGroup(leader);
  await killMarked({ leader, variable: `${RUN_MARKER}=${marker}` });
};

/** Ends what came of a command that was started with this variable (`NAME=value`): on Linux alone. */
export const killWith = (variable: string): Promise<void> => killMarked({ leader: null, variable });

/** `leader`: of the session whose processes end as well. */
type Mark = { leader: number | null; variable: string };

const killMarked = async (mark: Mark): Promise<void> => {
  if (process.platform !== "linux") return;
  for (let pass = 0; pass < PASSES; pass++) {
    const found = await findMarked(mark);
    if (found.length === 0) return;
    for (const pid of found) killProcess(pid);
    await pause(2);
  }
};

const findMarked = async ({ leader, variable }: Mark): Promise<number[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      if (pid === process.pid) return false;
      const stat = await readProc(pid, "stat");
      const [state, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === undefined || state === "Z" || state === "X") return false;
      if (Number(session) === leader) return true;
      const environment = (await readProc(pid, "environ")).split("\0");
      return environment.includes(variable) && environment.some((one) => one.startsWith(`${RUN_MARKER}=`));
    }),
  );
  return pids.filter((_, index) => marked[index]);
};

/** Empty for a process that is gone or belongs to somebody else. */
const readProc = (pid: number, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ESRCH";
