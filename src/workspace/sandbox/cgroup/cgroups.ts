import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../../base/errors.ts";
import { type Cgroup, type CgroupBase, type CgroupLimits, type Controller, controllers } from "./cgroup.ts";
import { cgroupPlaces } from "./cgroup-places.ts";
import { isWritable, unifiedBase } from "./unified-base.ts";

export type Cgroups = {
  /** What is bounded for a command as a whole. */
  bounded: readonly Controller[];
  /** Throws what the system says. */
  make(limits: CgroupLimits): Cgroup;
};

export type CgroupsFound = { cgroups: Cgroups; reason?: undefined } | { cgroups: null; reason: string };

/** Control groups of either version, whichever this process can write; tried once. */
export const findCgroups = (): CgroupsFound => {
  if (process.platform !== "linux") return { cgroups: null, reason: "they are Linux's" };
  try {
    const base = findBase();
    if (base === null) return { cgroups: null, reason: "this process has none that it may write" };
    sweep(base);
    const bounded = controllers.filter((controller) => base.directories[controller] !== undefined);
    const cgroups = { bounded, make: (limits: CgroupLimits) => make(base, limits) };
    for (const entrance of cgroups.make(TRIED).entrances) isRemoved(dirname(entrance));
    return { cgroups };
  } catch (error) {
    return { cgroups: null, reason: messageOf(error) };
  }
};

const TRIED: CgroupLimits = { memory: 64 * 1024 * 1024, processes: 16 };

const findBase = (): CgroupBase | null => {
  const read = (name: string): string => readFileSync(`/proc/self/${name}`, "utf8");
  const { version1, version2 } = cgroupPlaces({ cgroup: read("cgroup"), mountinfo: read("mountinfo") });
  const directories = Object.fromEntries(
    Object.entries(version1).filter(([, directory]) => isWritable(directory)),
  );
  if (Object.keys(directories).length > 0) return { version: 1, directories };
  return version2 === null ? null : unifiedBase(version2);
};

const PREFIX = "uwf-command-";
/** Of the weight of other processes: the engine goes on while commands take all that there is. */
const CPU = { 1: ["cpu.shares", "256"], 2: ["cpu.weight", "25"] } as const;
/** Processes of the sandbox itself. */
const OWN_PROCESSES = 4;
/**
 * What a process writes 0 to so that it joins. Of version 1 the file that moves one thread: for a whole process the kernel
 * holds up every fork and exit of the machine, and waits milliseconds for that. Who joins has one thread.
 */
const ENTRANCE = { 1: "tasks", 2: "cgroup.procs" } as const;

const make = ({ version, directories }: CgroupBase, limits: CgroupLimits): Cgroup => {
  const name = `${PREFIX}${process.pid}-${randomBytes(6).toString("hex")}`;
  const groups = [...new Set(Object.values(directories))].map((directory) => join(directory, name));
  for (const group of groups) mkdirSync(group);
  const set = (controller: Controller, file: string, value: string): void => {
    const directory = directories[controller];
    if (directory !== undefined) writeFileSync(join(directory, name, file), value);
  };
  try {
    const memory = Number.isFinite(limits.memory) ? String(limits.memory) : version === 1 ? "-1" : "max";
    if (version === 1) {
      set("memory", "memory.limit_in_bytes", memory);
      whereThere(() => set("memory", "memory.memsw.limit_in_bytes", memory));
    } else {
      set("memory", "memory.max", memory);
      whereThere(() => set("memory", "memory.swap.max", "0"));
    }
    set(
      "pids",
      "pids.max",
      Number.isFinite(limits.processes) ? String(limits.processes + OWN_PROCESSES) : "max",
    );
    set("cpu", CPU[version][0], CPU[version][1]);
  } catch (error) {
    for (const group of groups) rmdirSync(group);
    throw error;
  }
  const events =
    directories.memory &&
    join(directories.memory, name, version === 1 ? "memory.oom_control" : "memory.events");
  return {
    entrances: groups.map((group) => join(group, ENTRANCE[version])),
    ranOutOfMemory: () => events !== undefined && /^oom_kill [1-9]/m.test(readFileSync(events, "utf8")),
    remove: async () => {
      for (const group of groups) await removeEmptied(group);
    },
  };
};

/** Kernels without an account of swap have no such file. */
const whereThere = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
};

const TRIES = 500;
const BETWEEN_MS = 1;

/** A process that was killed is in its group until the kernel has taken it apart. What is busy longer, the next start removes. */
const removeEmptied = async (group: string): Promise<void> => {
  for (let tried = 0; tried < TRIES; tried++) {
    if (isRemoved(group)) return;
    await pause(BETWEEN_MS);
  }
};

const isRemoved = (group: string): boolean => {
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    if ((error as NodeJS.ErrnoException).code === "EBUSY") return false;
    throw error;
  }
};

/** Removes what processes that were killed have left. */
const sweep = ({ directories }: CgroupBase): void => {
  for (const directory of new Set(Object.values(directories)))
    for (const name of readdirSync(directory)) {
      const pid = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-")[0] : undefined;
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) isRemoved(join(directory, name));
    }
};
