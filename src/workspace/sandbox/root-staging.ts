import { existsSync } from "node:fs";
import { configError } from "../../base/errors.ts";
import { JOIN } from "./cgroup/joining.ts";
import type { Mount } from "./sandbox.ts";

/** Who commands run as when this process is root: a number that no account and no service has. */
export const SANDBOX_OWNER = { uid: 65_525, gid: 65_525 } as const;

const STAGES = ["/mnt", "/media", "/srv"];

export const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Binds each pair of source and target, then becomes the sandbox's user. It runs in a mount namespace of its own,
 * so that the host sees none of it.
 */
const SCRIPT = `set -e
${JOIN}
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev uwf "$1"
shift
while [ "$1" != -- ]; do
  mkdir "$2"
  mount --bind "$1" "$2"
  shift 2
done
shift
exec setpriv --reuid=${SANDBOX_OWNER.uid} --regid=${SANDBOX_OWNER.gid} --clear-groups --inh-caps=-all -- "$@"`;

export type Staged = {
  /** As given, with sources that the sandbox's user can reach. */
  mounts: Mount[];
  /** What goes before the sandbox's own arguments. */
  launcher: string[];
};

/**
 * Started by root, bubblewrap would keep root's rights to files, so it is started as an unprivileged user; that
 * user may not enter root's directories, so what the command works on is first bound where it may. `entrances`: files of
 * control groups that it joins, which that user may not write either.
 */
export const stageForRoot = (mounts: readonly Mount[], entrances: readonly string[]): Staged => {
  const stage = STAGES.find(
    (path) => existsSync(path) && !mounts.some(({ source }) => `${source}/`.startsWith(`${path}/`)),
  );
  if (stage === undefined)
    throw configError(
      "sandbox-unavailable",
      `root needs one of ${STAGES.join(", ")} to prepare the sandbox, and the storage root uses them all`,
      "Run uwf as an ordinary user, or create one of these directories.",
    );
  const staged = mounts.map((mount, index) => ({ ...mount, source: `${stage}/${index}` }));
  const pairs = mounts.flatMap(({ source }, index) => [source, `${stage}/${index}`]);
  const launcher = ["unshare", "--mount", "--propagation", "private", "--"];
  const script = ["/bin/sh", "-c", SCRIPT, "sh", ...entrances, "--", stage, ...pairs, "--"];
  return { mounts: staged, launcher: [...launcher, ...script] };
};
