import { describe, expect, it } from "vitest";
import { allowList, type Lists, type Verdict } from "../../../../src/workspace/network/allow-list.ts";
import { readEntry, readInternal } from "../../../../src/workspace/network/entry.ts";
import { readTarget } from "../../../../src/workspace/network/host-name.ts";
import { presets, presetsFor } from "../../../../src/workspace/network/presets.ts";

describe("readEntry", () => {
  it.each([
    ["example.org", { name: "example.org", below: false, ports: [443, 80] }],
    ["Example.ORG.", { name: "example.org", below: false, ports: [443, 80] }],
    ["*.example.org", { name: "example.org", below: true, ports: [443, 80] }],
    ["example.org:8443", { name: "example.org", below: false, ports: [8443] }],
    ["*.example.org:8443", { name: "example.org", below: true, ports: [8443] }],
    ["bücher.example", { name: "xn--bcher-kva.example", below: false, ports: [443, 80] }],
  ])("reads %s", (entry, rule) => {
    expect(readEntry(entry)).toEqual({ kind: "hosts", rules: [rule] });
  });

  it.each([
    ["*", "must have * only at its start"],
    ["*.org", "must have * only at its start"],
    ["a.*.org", "must have * only at its start"],
    ["https://example.org", "must be a host alone"],
    ["example.org/npm", "must be a host alone"],
    ["127.0.0.1", "must be a host's name, not an address"],
    ["169.254.169.254:80", "must be a host's name, not an address"],
    ["[::1]", "must be a host's name, not an address"],
    ["::1", "must be a host's name, not an address"],
    ["0x7f.1", "must be a preset or a host"],
    ["example.org:0", "must be a preset or a host"],
    ["example.org:70000", "must be a preset or a host"],
    ["a@example.org", "must be a preset or a host"],
    ["nmp", 'is no preset; did you mean "npm"?, and no host\'s full name'],
    ["localhost", "is no preset, and no host's full name"],
    ["__proto__", "is no preset, and no host's full name"],
  ])("says what is wrong with %s", (entry, problem) => {
    expect(readEntry(entry)).toEqual({ kind: "wrong", problem: expect.stringContaining(problem) });
  });

  it.each(Object.keys(presets))("knows the hosts of %s", (name) => {
    const entry = readEntry(name);

    expect(entry.kind).toBe("preset");
    expect(entry.kind === "preset" && entry.rules).toHaveLength(presets[name]?.hosts.length ?? -1);
  });
});

describe("readInternal", () => {
  it.each(["127.0.0.1:11434", "localhost:80", "[::1]:8080", "models.corp.example:443", "10.0.0.5:8000"])(
    "takes %s",
    (entry) => {
      expect(readInternal(entry)).not.toBeNull();
    },
  );

  it.each([
    "127.0.0.1",
    "localhost",
    "*.corp.example:80",
    "127.1:80",
    "http://127.0.0.1:80",
    "npm",
    "a:80:80",
    "[::1]",
  ])("does not take %s, which is not one host and port", (entry) => {
    expect(readInternal(entry)).toBeNull();
  });
});

const verdict = (target: string, lists: Partial<Lists>): Verdict => {
  const read = readTarget(target, null);
  if (read === null) throw new Error(`${target} is no target`);
  return allowList({ operator: [], repository: [], repositoryNetwork: "presets", ...lists }).verdict(read);
};
const byOperator = (...hosts: string[]): Partial<Lists> => ({ operator: [{ hosts, internal: [] }] });

describe("an allow-list", () => {
  it.each<[string, string, Verdict]>([
    ["example.org", "example.org:443", "allowed"],
    ["example.org", "example.org:80", "allowed"],
    ["example.org", "example.org:22", "not-allowed"],
    ["example.org", "www.example.org:443", "not-allowed"],
    ["example.org", "evil-example.org:443", "not-allowed"],
    ["example.org", "example.org.evil.test:443", "not-allowed"],
    ["*.example.org", "www.example.org:443", "allowed"],
    ["*.example.org", "a.b.example.org:443", "allowed"],
    ["*.example.org", "example.org:443", "not-allowed"],
    ["*.example.org", "evil-example.org:443", "not-allowed"],
    ["example.org:8443", "example.org:8443", "allowed"],
    ["example.org:8443", "example.org:443", "not-allowed"],
    ["npm", "registry.npmjs.org:443", "allowed"],
    ["npm", "npmjs.org:443", "not-allowed"],
    ["nonsense!", "nonsense:443", "not-allowed"],
  ])("with %s says of %s: %s", (entry, target, expected) => {
    expect(verdict(target, byOperator(entry))).toBe(expected);
  });

  it.each<[Lists["repositoryNetwork"], string, Verdict]>([
    ["any", "pages.example.com:443", "allowed"],
    ["any", "github.com:443", "allowed"],
    ["any", "registry.npmjs.org:443", "allowed"],
    ["presets", "pages.example.com:443", "withheld"],
    ["presets", "github.com:443", "withheld"],
    ["presets", "registry.npmjs.org:443", "allowed"],
    ["none", "pages.example.com:443", "withheld"],
    ["none", "registry.npmjs.org:443", "withheld"],
    ["none", "other.example.com:443", "not-allowed"],
  ])("follows of a repository's list %s: %s is %s", (repositoryNetwork, target, expected) => {
    const repository = ["pages.example.com", "github", "npm"];

    expect(verdict(target, { repository, repositoryNetwork })).toBe(expected);
  });

  it("lets an operator name what is private, by exactly its host and port, and nobody else", () => {
    const operator = [{ hosts: [], internal: ["127.0.0.1:11434", "models.corp.example:8000"] }];

    expect(verdict("127.0.0.1:11434", { operator })).toBe("internal");
    expect(verdict("models.corp.example:8000", { operator })).toBe("internal");
    expect(verdict("127.0.0.1:11435", { operator })).toBe("not-allowed");
    expect(verdict("localhost:11434", { operator })).toBe("not-allowed");
    expect(verdict("models.corp.example:443", { operator })).toBe("not-allowed");
    expect(verdict("127.0.0.1:11434", { repository: ["127.0.0.1:11434"], repositoryNetwork: "any" })).toBe(
      "not-allowed",
    );
  });

  it("is empty when nobody has asked for anything, whether it is followed or not", () => {
    const isEmpty = (lists: Partial<Lists>) =>
      allowList({ operator: [], repository: [], repositoryNetwork: "none", ...lists }).isEmpty;

    expect(isEmpty({})).toBe(true);
    expect(isEmpty({ operator: [{ hosts: [], internal: [] }] })).toBe(true);
    expect(isEmpty({ repository: ["npm"] })).toBe(false);
    expect(isEmpty({ operator: [{ hosts: [], internal: ["localhost:1"] }] })).toBe(false);
  });

  it("shows a command those of this machine's ports that it could have itself, each once", () => {
    const internal = ["localhost:8000", "127.0.0.1:8000", "localhost:80", "10.0.0.1:9000", "[::1]:7000"];

    expect(
      allowList({ operator: [{ hosts: [], internal }], repository: [], repositoryNetwork: "none" }).local.map(
        ({ port }) => port,
      ),
    ).toEqual([8000, 7000]);
  });
});

describe("presetsFor", () => {
  it.each([
    [["package-lock.json", "src"], ["npm"]],
    [
      ["pyproject.toml", "Cargo.toml"],
      ["pypi", "crates"],
    ],
    [["go.mod"], ["go"]],
    [["README.md"], []],
    [["PACKAGE.JSON"], []],
  ])("finds for %j: %j", (files, found) => {
    expect(presetsFor(files)).toEqual(found);
  });

  it("never gives a code host", () => {
    expect(presetsFor(Object.values(presets).flatMap(({ files }) => files))).not.toContain("github");
  });
});
