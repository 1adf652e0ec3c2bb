import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CgroupBase } from "./cgroup.ts";
import { type Controller, controllers } from "./cgroup.ts";

const LEAF = "uwf-engine";

/**
 * The group of this process, if groups with limits can be made in it. In version 2 a group that has processes gives its
 * children no limits, so where this process and its relatives are alone in theirs, as systemd's `Delegate=` and containers
 * leave them, they move into a child of it first. null: none can be made.
 */
export const unifiedBase = (own: string): CgroupBase | null => {
  const base = basename(own) === LEAF ? dirname(own) : own;
  if (!isWritable(base)) return null;
  if (handedDown(base).length === 0) {
    if (!isTop(base) && !moveAside(base)) return null;
    const offered = wordsIn(join(base, "cgroup.controllers"));
    for (const controller of controllers.filter((name) => offered.includes(name)))
      writeFileSync(join(base, "cgroup.subtree_control"), `+${controller}`);
  }
  return handedDown(base).length > 0 ? baseAt(base) : null;
};

/** The whole machine's group, which may have processes beside its children. */
const isTop = (directory: string): boolean => !existsSync(join(directory, "cgroup.type"));

const moveAside = (directory: string): boolean => {
  if (!areRelatives(processesIn(directory))) return false;
  const leaf = join(directory, LEAF);
  mkdirSync(leaf, { recursive: true });
  for (const pid of processesIn(directory)) writeFileSync(join(leaf, "cgroup.procs"), String(pid));
  return true;
};

const baseAt = (directory: string): CgroupBase => ({
  version: 2,
  directories: Object.fromEntries(handedDown(directory).map((controller) => [controller, directory])),
});

export const isWritable = (directory: string): boolean => {
  try {
    for (const path of [directory, join(directory, "cgroup.procs")]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const handedDown = (directory: string): Controller[] => {
  const words = wordsIn(join(directory, "cgroup.subtree_control"));
  return controllers.filter((name) => words.includes(name));
};

const processesIn = (directory: string): number[] => wordsIn(join(directory, "cgroup.procs")).map(Number);

const wordsIn = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split(/\s+/)
    .filter((word) => word !== "");

/** Whether each of them started this process, or was started by it. */
const areRelatives = (pids: readonly number[]): boolean => {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(Number(pid))] as const),
  );
  const line = (pid: number): number[] => {
    const parent = parents.get(pid) ?? 0;
    return parent === 0 ? [pid] : [pid, ...line(parent)];
  };
  const ancestors = line(process.pid);
  return pids.every((pid) => ancestors.includes(pid) || line(pid).includes(process.pid));
};

/** 0 for a process that is gone. */
const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
};
