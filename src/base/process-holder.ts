import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * A name for this process that another on the same machine can see to be dead: the machine, pid, start time, a random
 * part. Nothing in it but these has a colon.
 */
export const processHolder = (): string =>
  [machine(), process.pid, startOf(process.pid) ?? "0", randomPart()].join(":");

/** A few letters that no other hold has. */
export const randomPart = (): string => randomBytes(4).toString("hex");

/** A lease's holder for people: `process 4711 on host`. */
export const holderText = (holder: string): string => {
  const [where = "", pid] = holder.split(":");
  return pid === undefined ? holder : `process ${pid} on ${where.split("/")[0]}`;
};

/**
 * Whether the process that holds a lease is known to have ended: it ran on this machine, since the last boot, where this
 * process would see it. Of all others nothing is known. Host names are not unique, so after a reboot as well its
 * lease is waited out.
 */
export const isDead = (holder: string): boolean => {
  const [where, pid, start] = holder.split(":");
  if (where !== machine() || pid === undefined) return false;
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
 * `host/boot/pid namespace`: containers may have one host name or one kernel, and process ids of their own. What cannot be
 * read is empty. A namespace's number is not used again while a process is in it.
 */
const machine = (): string =>
  [
    hostname(),
    reading(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    reading(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")),
  ].join("/");

const reading = (read: () => string): string => {
  try {
    return read();
  } catch {
    // Only Linux has it.
    return "";
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
