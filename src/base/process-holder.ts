import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A name for this process that another on the same machine can see to be dead: host, pid, start time, a random part. */
export const processHolder = (): string =>
  [hostname(), process.pid, startOf(process.pid) ?? "0", randomPart()].join(":");

/** A few letters that no other hold has. */
export const randomPart = (): string => randomBytes(4).toString("hex");

/** A lease's holder for people: `process 4711 on host`. */
export const holderText = (holder: string): string => {
  const [host = "", pid] = holder.split(":");
  return pid === undefined ? holder : `process ${pid} on ${host}`;
};

/** Whether the process that holds a lease ran on this machine and has ended. */
export const isDead = (holder: string): boolean => {
  const [host, pid, start] = holder.split(":");
  if (host !== hostname() || pid === undefined) return false;
  const startNow = startOf(Number(pid));
  if (startNow !== null) return startNow !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/**
 * The process's start time in clock ticks (proc(5), field 22), which tells a reused pid; "ended" for one that has ended
 * and that its parent has not yet asked about (field 3); null where /proc is not there.
 */
const startOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
};
