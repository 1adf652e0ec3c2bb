import { closeSync, existsSync, readlinkSync, statSync } from "node:fs";
import { configError } from "../../base/errors.ts";
import { openMountNamespace } from "./mount-namespace.ts";
import type { Mount } from "./sandbox.ts";

/** Who commands run as when this process is root: a number that no account and no service has. */
export const SANDBOX_OWNER = { uid: 65_525, gid: 65_525 } as const;

export const isRoot = (): boolean => process.geteuid?.() === 0;

/** A mount namespace in which the sandbox's user reaches what a command works on. */
export type Stage = {
  /** As wanted, with sources that this user can reach. */
  mounts: readonly Mount[];
  /** What goes before bubblewrap: enters the namespace and becomes this user. */
  launcher: readonly string[];
};

export type Stages = {
  /** The stage stays as it is for as long as `work` takes. */
  during<T>(mounts: readonly Mount[], work: (stage: Stage) => Promise<T>): Promise<T>;
};

/** As many sets of directories are kept for the next command with the same ones. */
const KEPT = 32;

type Kept = { namespace: Promise<number>; users: number };

/**
 * Started by root, bubblewrap would keep root's rights to files, so it is started as an unprivileged user; that user may
 * not enter root's directories, so what the command works on is first bound where it may, in a mount namespace of which the
 * host sees nothing. To make one takes longer than bubblewrap itself, so commands with the same directories share it:
 * bubblewrap gives each of them mounts of its own. With this process, however it ends, its namespaces end.
 */
export const rootStages = ({ path }: { path: string }): Stages => {
  const kept = new Map<string, Kept>();
  const closeOldest = (): void => {
    const idle = [...kept].filter(([, { users }]) => users === 0);
    for (const [key, { namespace }] of idle.slice(0, Math.max(0, kept.size - KEPT))) {
      kept.delete(key);
      void namespace.then(closeSync);
    }
  };
  return {
    during: async (mounts, work) => {
      const place = placeFor(mounts);
      const sources = mounts.map(({ source }) => source);
      const key = [place, ...sources.map(identityOf)].join("\0");
      const stage = kept.get(key) ?? { namespace: openMountNamespace({ place, sources, path }), users: 0 };
      // Put in again, so that the one that was used last is the last.
      kept.delete(key);
      kept.set(key, stage);
      stage.users++;
      try {
        const namespace = await stage.namespace.catch((error: unknown) => {
          if (kept.get(key) === stage) kept.delete(key);
          throw error;
        });
        return await work({
          mounts: mounts.map((mount, index) => ({ ...mount, source: `${place}/${index}` })),
          launcher: entering(namespace),
        });
      } finally {
        stage.users--;
        closeOldest();
      }
    },
  };
};

const PLACES = ["/mnt", "/media", "/srv"];

const placeFor = (mounts: readonly Mount[]): string => {
  const place = PLACES.find(
    (path) => existsSync(path) && !mounts.some(({ source }) => `${source}/`.startsWith(`${path}/`)),
  );
  if (place === undefined)
    throw configError(
      "sandbox-unavailable",
      `root needs one of ${PLACES.join(", ")} to prepare the sandbox, and the storage root uses them all`,
      "Run uwf as an ordinary user, or create one of these directories.",
    );
  return place;
};

/** A directory that has taken another's place has another number: the other's is not given again while it is mounted. */
const identityOf = (source: string): string => {
  const found = statSync(source, { bigint: true, throwIfNoEntry: false });
  return `${found?.dev}:${found?.ino}:${source}`;
};

/** By the descriptor of this process, which the command does not get. */
const entering = (namespace: number): string[] => [
  "nsenter",
  `--mount=/proc/${readlinkSync("/proc/self")}/fd/${namespace}`,
  `--setuid=${SANDBOX_OWNER.uid}`,
  `--setgid=${SANDBOX_OWNER.gid}`,
  "--",
];
