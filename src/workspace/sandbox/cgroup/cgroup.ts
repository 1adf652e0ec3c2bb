/** What the kernel can bound a whole group of processes by. */
export const controllers = ["memory", "pids", "cpu"] as const;
export type Controller = (typeof controllers)[number];

/** Sizes in bytes. */
export type CgroupLimits = { memory: number; processes: number };

/** The processes of one command. */
export type Cgroup = {
  /** Files by which a process joins it: it writes 0 to each. */
  entrances: readonly string[];
  /** True when one of its processes was ended because together they had too much memory. */
  ranOutOfMemory(): boolean;
  /** Removes it once its last process is gone. */
  remove(): Promise<void>;
};

/** Where groups can be made, by the controllers that they have there. */
export type CgroupBase = {
  version: 1 | 2;
  /** One directory for each in version 1, the same for all in version 2. */
  directories: Partial<Readonly<Record<Controller, string>>>;
};
