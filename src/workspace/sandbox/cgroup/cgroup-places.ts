import { join } from "node:path";
import { type CgroupBase, type Controller, controllers } from "./cgroup.ts";

/** Where this process's own groups are: `/proc/self/cgroup` and `/proc/self/mountinfo`, see cgroups(7) and proc(5). */
export type CgroupPlaces = {
  version1: CgroupBase["directories"];
  version2: string | null;
};

export const cgroupPlaces = ({ cgroup, mountinfo }: { cgroup: string; mountinfo: string }): CgroupPlaces => {
  const mounts = linesOf(mountinfo).map(mountOf);
  const own = linesOf(cgroup).map((line) => {
    const [, names = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return { names: names.split(","), path };
  });
  const version1: Partial<Record<Controller, string>> = {};
  for (const controller of controllers) {
    const mount = mounts.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    const group = own.find(({ names }) => names.includes(controller));
    const directory = mount && group && below(mount, group.path);
    if (directory) version1[controller] = directory;
  }
  const unified = mounts.find(({ type }) => type === "cgroup2");
  const group = own.find(({ names }) => names[0] === "");
  const directory = unified && group && below(unified, group.path);
  return { version1, version2: directory ?? null };
};

type MountLine = { root: string; point: string; type: string; options: readonly string[] };

const mountOf = (line: string): MountLine => {
  const [before = "", after = ""] = line.split(" - ");
  const [, , , root = "", point = ""] = before.split(" ");
  const [type = "", , options = ""] = after.split(" ");
  return { root, point, type, options: options.split(",") };
};

/** A container may have mounted a part of the hierarchy alone; undefined when the group is not in it. */
const below = ({ root, point }: MountLine, path: string): string | undefined => {
  const top = root === "/" ? "" : root;
  if (path !== top && !path.startsWith(`${top}/`)) return undefined;
  return join(point, path.slice(top.length), ".");
};

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
