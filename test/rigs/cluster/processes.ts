import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes that work below a directory or have its name in their environment, other than `except`: `pid command`. */
export const processesOf = (directory: string, { except }: { except: readonly number[] }): string[] =>
  process.platform !== "linux"
    ? []
    : readdirSync("/proc")
        .map(Number)
        .filter((pid) => pid > 0 && pid !== process.pid && !except.includes(pid))
        .filter((pid) => placesOf(pid).some((place) => place.includes(directory)))
        .map(
          (pid) =>
            `${pid} ${reading(() => readFileSync(`/proc/${pid}/cmdline`, "latin1")).replaceAll("\0", " ")}`,
        );

const placesOf = (pid: number): string[] => [
  reading(() => readlinkSync(`/proc/${pid}/cwd`)),
  reading(() => readFileSync(`/proc/${pid}/environ`, "latin1")),
];

/** Empty for a process that has just ended, or is another user's. */
const reading = (read: () => string): string => {
  try {
    return read();
  } catch {
    return "";
  }
};
