/** What the probe is told about the machine outside, and tries to reach. */
export type ProbeTarget = {
  /** A file of the host that nothing shows. */
  canary: string;
  /** A directory of the host that it may write, as it is seen inside. */
  scratch: string;
  /** Directories that have to be empty inside. */
  hidden: readonly string[];
};

export const NAMESPACES = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] as const;

const FILES = [
  ...["status", "limits", "mountinfo", "environ"].map((name) => `/proc/self/${name}`),
  ...["/proc/1/environ", "/proc/net/dev", "/proc/net/unix", "/etc/passwd", "/proc/sys/kernel/hostname"],
];

/**
 * A script for `/bin/sh` that tells what a command sees, in parts with a headline each; `factsOf` reads it. It judges
 * nothing, and starts few programs, because it runs before the first command of every thread.
 */
export const probeScript = ({ canary, scratch, hidden }: ProbeTarget): string =>
  [
    `tail -n +1 ${FILES.join(" ")} 2>/dev/null`,
    part("namespaces", `cd /proc/self/ns && readlink ${NAMESPACES.join(" ")}; cd /`),
    part("devices", "ls -A /dev"),
    part(
      "descriptors",
      "cd /proc/$$/fd; for f in *; do if [ -e $f ] && ! [ $f -ef /dev/null ]; then echo $f; fi; done; cd /",
    ),
    ...hidden.map((path, index) => part(`hidden ${index}`, `ls -A ${quoted(path)} 2>/dev/null`)),
    part(
      "done",
      [
        `[ ! -e ${quoted(canary)} ] || echo canary`,
        "[ ! -r /etc/shadow ] || echo shadow",
        "if unshare -U true 2>/dev/null; then echo userns; fi",
        "if (: </dev/tty) 2>/dev/null; then echo terminal; fi",
        `if (: >${quoted(scratch)}/owner) 2>/dev/null; then echo owner; fi`,
      ].join("; "),
    ),
    part("end", ":"),
  ].join("\n");

const part = (name: string, commands: string): string => `echo; echo '==> ${name} <=='; ${commands}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
