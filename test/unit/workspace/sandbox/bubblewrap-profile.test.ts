import { describe, expect, it } from "vitest";
import {
  bubblewrapArguments,
  environmentArguments,
  type Profile,
} from "../../../../src/workspace/sandbox/bubblewrap-profile.ts";

const profile: Profile = {
  system: {
    readOnly: ["/usr"],
    copied: ["/etc/services"],
    links: [["/bin", "usr/bin"]],
    toolchains: [],
    closed: ["/proc/keys"],
    path: "/usr/bin",
  },
  toolchains: [],
  hidden: [],
  mounts: [
    { source: "/host/tree", target: "/workspace", writable: true },
    { source: "/host/objects", target: "/host/objects", writable: false },
  ],
  cwd: "/workspace",
  env: { NAME: "value with 'quotes'" },
  sharesNetwork: false,
  mergesStreams: true,
  files: [
    { path: "/etc/passwd", fd: 5 },
    { path: "/etc/services", fd: 6 },
  ],
  ceilings: { memory: 1024, processes: 7, fileSize: Number.POSITIVE_INFINITY, openFiles: 9 },
  seccompFd: 8,
  environmentFd: 9,
};
const line = (change: Partial<Profile> = {}): string =>
  bubblewrapArguments({ ...profile, ...change }, ["true"]).join(" ");

describe("bubblewrapArguments", () => {
  it("takes every namespace and right away, and starts from an empty environment", () => {
    for (const part of [
      "--unshare-all --unshare-user --disable-userns",
      "--cap-drop ALL --new-session --die-with-parent",
      "--clearenv --args 9",
      "--seccomp 8",
    ])
      expect(line()).toContain(part);
    expect(line()).not.toContain("--share-net");
    expect(line()).not.toMatch(/bind \/ /);
  });

  it("shows mounts as asked, and makes the rest read-only last", () => {
    expect(line()).toContain(
      "--bind /host/tree /workspace --ro-bind /host/objects /host/objects --remount-ro / --clearenv",
    );
  });

  it("closes files of the kernel", () => {
    expect(line()).toContain("--proc /proc --dev /dev --ro-bind /dev/null /proc/keys ");
  });

  it("makes files anew that nobody may write", () => {
    expect(line()).toContain("--perms 0444 --file 5 /etc/passwd --perms 0444 --file 6 /etc/services ");
  });

  it("limits what can be limited, inside", () => {
    expect(line()).toContain(
      "--chdir /workspace -- /bin/sh -c set -e; ulimit -d 1; ulimit -n 9; ulimit -c 0; ulimit -u 7 2>/dev/null || ulimit -p 7; ",
    );
  });

  it("shares the network and its names only when asked", () => {
    expect(line({ sharesNetwork: true })).toContain("--share-net");
    expect(line({ sharesNetwork: true })).toContain("/etc/resolv.conf");
    expect(line()).not.toContain("/etc/resolv.conf");
  });

  it("keeps the command's own variables as they are, and out of the arguments that everybody sees", () => {
    expect(environmentArguments(profile)).toContain("\0--setenv\0NAME\0value with 'quotes'\0");
    expect(environmentArguments(profile)).toMatch(/^--setenv\0PATH\0\/usr\/bin\0/);
    expect(line()).not.toContain("value with");
  });
});
