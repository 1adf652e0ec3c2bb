import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../src/config/config-file.ts";
import { readRepositoryFile } from "../../../src/config/read-repository-config.ts";

const problems = (text: string): readonly string[] => parseConfigFile(text).problems;

describe("what the operator lets commands reach", () => {
  it("is nothing, and of repositories' lists the registries, unless the file says otherwise", () => {
    expect(parseConfigFile("").file?.sandbox).toMatchObject({
      network: [],
      internal: [],
      repositoryNetwork: "presets",
    });
  });

  it("may be presets, hosts, everything, and exactly named places of its own network", () => {
    const text =
      'sandbox: { network: [npm, "*.example.org", "a.example:8443"], internal: ["127.0.0.1:11434"], repositoryNetwork: any }';

    expect(problems(text)).toEqual([]);
    expect(problems('sandbox: { network: ["*"] }')).toEqual([]);
    expect(problems('agents: { a: { command: a, protocol: text, network: ["*"] } }')).toEqual([]);
  });

  it.each([
    [
      "sandbox: { network: [nmp] }",
      'config.yaml:1:22: sandbox.network[0]: is no preset; did you mean "npm"?, and no host\'s full name',
    ],
    [
      "sandbox: { network: [https://example.org/] }",
      "config.yaml:1:22: sandbox.network[0]: must be a host alone, without https:// and without a path",
    ],
    [
      "sandbox: { network: [127.0.0.1] }",
      "config.yaml:1:22: sandbox.network[0]: must be a host's name, not an address",
    ],
    [
      "sandbox: { internal: [localhost] }",
      "config.yaml:1:23: sandbox.internal[0]: must be one host and port, such as 127.0.0.1:11434",
    ],
    [
      "agents: { a: { command: a, network: [npm] } }",
      "config.yaml:1:37: agents.a.network: goes with `sandbox: thread` only: outside, nothing holds the program to a list",
    ],
    [
      "agents: { a: { adapter: react, network: [npm] } }",
      "config.yaml:1:41: agents.a.network: goes with a command only, not with adapter",
    ],
  ])("is refused with a line that names it: %s", (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });
});

describe("what a repository asks for", () => {
  const read = (text: string) => readRepositoryFile(text, { name: ".github/uwf.yml", owner: "acme" });

  it("is presets and hosts", async () => {
    expect((await read("network: [npm, example.org]")).file?.layer).toEqual({
      network: ["npm", "example.org"],
    });
  });

  it.each(["*", "10.0.0.1", "[::1]:80", "localhost", "*.com"])("is never %s", async (entry) => {
    const { file, problems } = await read(`network: [${JSON.stringify(entry)}]`);

    expect(file).toBeNull();
    expect(problems).toEqual([expect.stringMatching(/^\.github\/uwf\.yml:1:11: network\[0\]: /)]);
  });
});
