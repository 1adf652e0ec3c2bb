import { describe, expect, it } from "vitest";
import { type Facts, factsOf } from "../../../../../src/workspace/sandbox/self-test/facts.ts";
import { NAMESPACES } from "../../../../../src/workspace/sandbox/self-test/probe.ts";
import { type Expected, weaknessesOf } from "../../../../../src/workspace/sandbox/self-test/weaknesses.ts";

const facts: Facts = {
  namespaces: Object.fromEntries(NAMESPACES.map((name) => [name, `${name}:[2]`])),
  status: {
    ...{ Uid: "1000\t1000\t1000\t1000", Gid: "1000\t1000\t1000\t1000", NoNewPrivs: "1", Seccomp: "2" },
    ...Object.fromEntries(
      ["Inh", "Prm", "Eff", "Bnd", "Amb"].map((name) => [`Cap${name}`, "0000000000000000"]),
    ),
  },
  limits: { "Max processes": "40", "Max data size": "1024", "Max core file size": "0" },
  mounts: [{ point: "/", writable: false, setuid: false }],
  variables: ["PATH", "HOME"],
  interfaces: ["lo"],
  abstractSockets: [],
  accounts: ["root", "uwf"],
  hostname: "uwf",
  devices: ["null"],
  descriptors: [0, 1, 2],
  hidden: [[]],
  done: ["owner"],
};
const expected: Expected = {
  outside: {
    namespaces: Object.fromEntries(NAMESPACES.map((name) => [name, `${name}:[1]`])),
    hostname: "host",
  },
  shared: [],
  uid: 1000,
  variables: [],
  accounts: ["root", "uwf"],
  ignoresSetuid: true,
  writable: ["/workspace"],
  devices: ["null"],
  hidden: [[]],
  limits: { processes: 40, memory: 1024 },
  filtersCalls: true,
};

describe("weaknessesOf", () => {
  it("finds none where nothing is more than it may be", () => {
    expect(weaknessesOf(facts, expected)).toEqual([]);
  });

  it.each<[string, Partial<Facts>, string]>([
    ["a terminal", { done: ["terminal"] }, "it reaches the terminal"],
    ["password hashes", { done: ["shadow"] }, "it shows /etc/shadow"],
    ["an abstract socket", { abstractSockets: ["@dbus"] }, "it reaches sockets: @dbus"],
    ["an interface", { interfaces: ["lo", "eth0"] }, "it has a network: eth0"],
    [
      "set-uid programs",
      { mounts: [{ point: "/usr", writable: false, setuid: true }] },
      "programs with the set-uid bit gain rights in /usr",
    ],
    ["no mounts to look at", { mounts: [] }, "its mounts cannot be told"],
    ["new privileges", { status: { ...facts.status, NoNewPrivs: "0" } }, "commands can gain privileges"],
    [
      "core files",
      { limits: { ...facts.limits, "Max core file size": "unlimited" } },
      "memory of commands is written to files when they crash",
    ],
    [
      "a limit that cannot be told",
      { limits: { ...facts.limits, "Max processes": "" } },
      "commands may start any number of processes",
    ],
  ])("finds %s", (_, change, weakness) => {
    expect(weaknessesOf({ ...facts, ...change }, expected)).toEqual([weakness]);
  });

  it("takes a probe that did not come to its end for no probe", () => {
    expect(factsOf("\n==> /proc/self/status <==\nUid:\t0\n")).toBeUndefined();
    expect(factsOf("\n==> /proc/self/status <==\nUid:\t0\n\n==> end <==\n")?.status).toEqual({ Uid: "0" });
  });
});
