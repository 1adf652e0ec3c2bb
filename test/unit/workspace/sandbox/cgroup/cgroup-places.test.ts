import { describe, expect, it } from "vitest";
import { cgroupPlaces } from "../../../../../src/workspace/sandbox/cgroup/cgroup-places.ts";

const V1_MOUNTS = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
`;
const V2_MOUNT = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

describe("cgroupPlaces", () => {
  it("finds each controller of version 1, however they are mounted together", () => {
    const cgroup = "4:memory:/jobs/7\n3:cpu,cpuacct:/\n2:name=systemd:/\n1:pids:/user.slice\n";

    expect(cgroupPlaces({ cgroup, mountinfo: V1_MOUNTS })).toEqual({
      version1: {
        memory: "/sys/fs/cgroup/memory/jobs/7",
        cpu: "/sys/fs/cgroup/cpu,cpuacct",
        pids: "/sys/fs/cgroup/pids/user.slice",
      },
      version2: null,
    });
  });

  it("finds the one hierarchy of version 2", () => {
    expect(cgroupPlaces({ cgroup: "0::/system.slice/uwf.service\n", mountinfo: V2_MOUNT })).toEqual({
      version1: {},
      version2: "/sys/fs/cgroup/system.slice/uwf.service",
    });
  });

  it("finds a container's part of a hierarchy, and no group that lies outside of it", () => {
    const part = "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";

    expect(cgroupPlaces({ cgroup: "4:memory:/docker/abc\n", mountinfo: part }).version1).toEqual({
      memory: "/sys/fs/cgroup/memory",
    });
    expect(cgroupPlaces({ cgroup: "4:memory:/docker/abcd\n", mountinfo: part }).version1).toEqual({});
  });

  it("finds none where none is mounted", () => {
    expect(cgroupPlaces({ cgroup: "0::/\n", mountinfo: "" })).toEqual({ version1: {}, version2: null });
  });
});
