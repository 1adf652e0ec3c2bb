import type { ContainerCreateOptions } from "dockerode";
import type { Sandbox, SandboxCommand } from "../sandbox.ts";

export type ContainerLimits = { memory: number; processes: number };

type Parts = {
  image: string;
  /** Such as `runsc`; null: the engine's own. */
  runtime: string | null;
  user: NonNullable<Sandbox["owner"]>;
  limits: ContainerLimits;
  labels: Readonly<Record<string, string>>;
};

export const CONTAINER_HOME = "/home/uwf";
const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 4096 * MIB;
const MAX_OPEN_FILES = 16_384;
/** Of the API from 1.41 on. */
const OWN_CGROUPS: object = { CgroupnsMode: "private" };
/** Of the weight of other processes, whose share is 1024. */
const CPU_SHARES = 256;

/**
 * A container for one command: no capability, no new privileges, no network, a root that cannot be written, sized memory
 * file systems, and nothing of the host but the mounts. What it leaves is a process that the engine's `init` collects.
 */
export const containerOptions = (
  { argv, cwd, env, mounts, network, stdin, onError }: SandboxCommand,
  { image, runtime, user, limits, labels }: Parts,
): ContainerCreateOptions => {
  const owned = `uid=${user.uid},gid=${user.gid}`;
  const given = { HOME: CONTAINER_HOME, USER: "uwf", LOGNAME: "uwf", TMPDIR: "/tmp", ...env };
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-c", `exec "$@"${onError === undefined ? " 2>&1" : ""}`, "sh"],
    Cmd: [...argv],
    Env: Object.entries(given).map(([name, value]) => `${name}=${value}`),
    WorkingDir: cwd,
    User: `${user.uid}:${user.gid}`,
    Labels: { ...labels },
    Hostname: "uwf",
    NetworkDisabled: network?.kind !== "host",
    AttachStdout: true,
    AttachStderr: true,
    ...(stdin === undefined ? {} : { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
    HostConfig: {
      Init: true,
      ...(runtime === null ? {} : { Runtime: runtime }),
      NetworkMode: network?.kind === "host" ? "bridge" : "none",
      IpcMode: "private",
      ...OWN_CGROUPS,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Memory: limits.memory,
      MemorySwap: limits.memory,
      PidsLimit: limits.processes,
      CpuShares: CPU_SHARES,
      OomScoreAdj: 500,
      ShmSize: 256 * MIB,
      Tmpfs: {
        "/tmp": "rw,exec,nosuid,nodev,size=1g,mode=1777",
        [CONTAINER_HOME]: `rw,exec,nosuid,nodev,size=1g,mode=755,${owned}`,
      },
      Ulimits: [
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "fsize", Soft: MAX_FILE_BYTES, Hard: MAX_FILE_BYTES },
        { Name: "nofile", Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
      ],
      Mounts: mounts.map(({ source, target, writable }) => ({
        Type: "bind" as const,
        Source: source,
        Target: target,
        ReadOnly: !writable,
      })),
      LogConfig: { Type: "none", Config: {} },
    },
  };
};
