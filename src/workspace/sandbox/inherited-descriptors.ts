import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2_000_000;
const FIRST = 3;

/**
 * File descriptors beyond the standard three that this process was started with and that programs it starts would
 * get too: a directory among them would be a way out of any sandbox. Everything that Node opens itself is closed on
 * exec. Empty where there is no `/proc`.
 */
export const inheritedDescriptors = (): number[] => {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd >= FIRST && !isClosedOnExec(fd));
};

/** A descriptor that is gone by now is the one that listed the directory. */
const isClosedOnExec = (fd: number): boolean => {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
};
