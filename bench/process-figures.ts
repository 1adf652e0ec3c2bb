import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** `VmRSS` of proc(5). */
export const residentMegabytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (found === undefined) throw new Error("the process's memory cannot be read");
  return Number(found) / 1024;
};

/** Seconds of processor time that a process and its children have had, those that have ended too (proc(5)). */
export const processorSeconds = async (pid: number): Promise<number> => {
  const ticks = await ticksPerSecond();
  const own = await statOf(pid);
  const children = (await childrenOf(pid)).map((child) => statOf(child));
  const all = [own, ...(await Promise.all(children))];
  const running = all.reduce((sum, { user, system }) => sum + user + system, 0);
  return (running + own.endedChildren) / ticks;
};

const childrenOf = async (pid: number): Promise<number[]> => {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8")),
  );
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
};

/** A process that ended meanwhile is counted by its parent. */
const statOf = async (pid: number): Promise<{ user: number; system: number; endedChildren: number }> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(10)
    .map(Number);
  return { user, system, endedChildren: endedUser + endedSystem };
};

const ticksPerSecond = async (): Promise<number> =>
  Number((await promisify(execFile)("getconf", ["CLK_TCK"])).stdout);
