import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protectedByDefault } from "../../../src/config/protected-paths.ts";
import { check, link } from "../../fixtures/published-tree.ts";

describe("protected paths", () => {
  it.each([
    ".github/workflows/ci.yml",
    ".github/workflows",
    ".github",
    ".forgejo/workflows/a/b.yml",
    ".forgejo/actions/x/action.yml",
    ".gitea/workflows/ci.yml",
    ".github/uwf.yml",
    ".forgejo/uwf.yml",
    ".uwf/workflows/solve.yaml",
    ".woodpecker/test.yaml",
    ".woodpecker.yaml",
    ".drone.yml",
    ".circleci/config.yml",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".cirrus.yml",
    "appveyor.yml",
    ".appveyor.yml",
    ".buildkite/pipeline.yml",
    ".semaphore/semaphore.yml",
    "azure-pipelines.yml",
    "Jenkinsfile",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    "docs",
  ])("are by default: %s", async (path) => {
    await expect(check(["src/a.ts", path])).rejects.toMatchObject({
      code: "protected-path",
      remedy: "fix-input",
      message: expect.stringContaining(`\`${path}\``),
    });
  });

  it.each([
    ["another case", ".GitHub/Workflows/CI.yml"],
    ["letters whose capitals are others'", ".github/wor\u212aflow\u017f/ci.yml"],
    ["wide letters", ".\uff47ithub/workflows/ci.yml"],
    ["ignored characters (HFS+)", ".git\u200chub/work\u202eflows/ci.yml"],
    ["a byte order mark", ".github\ufeff/workflows/ci.yml"],
    ["trailing dots and spaces (NTFS)", ".github. ./workflows ./ci.yml"],
    ["a stream (NTFS)", "CODEOWNERS::$DATA"],
    ["a directory's stream (NTFS)", ".github::$INDEX_ALLOCATION/workflows/ci.yml"],
    ["a stream with a line end", "CODEOWNERS:\nx"],
    ["backslashes", ".github\\workflows\\ci.yml"],
    ["a short name (NTFS)", "GITHUB~1/WORKFL~1/ci.yml"],
    ["a later short name", "GITHU~12/workflows/ci.yml"],
    ["a hashed short name", "GI7EBA~1/workflows/ci.yml"],
    ["a file's short name", "docs/CODEOW~1"],
    ["a short name with a stream", "CODEOW~1:x"],
  ])("are by every spelling that some file system takes for them: %s", async (_, path) => {
    await expect(check([path])).rejects.toMatchObject({ code: "protected-path" });
  });

  it.each([
    ["composed and decomposed", "caf\u00e9/**", "cafe\u0301/x"],
    ["decomposed and composed", "cafe\u0301/**", "caf\u00e9/x"],
    ["a short name with an extension", "deploy/configuration.yaml", "deploy/CONFIG~1.YAM"],
    ["a folder before wildcards", "infra/*/secrets/**", "infra"],
    ["a short name of several words", "deploy/..our own.config.json", "deploy/OUROWN~1.JSO"],
    ["a short name that is short by itself", "deploy/a.b.txt", "deploy/AB~1.TXT"],
    ["alternatives", "{infra,deploy}/**", "deploy/a"],
    ["one folder of alternatives", "{infra,deploy}/**", "deploy"],
    ["all but", "!src/**", "other"],
  ])("are the repository's own, too: %s", async (_, glob, path) => {
    await expect(check([path], [glob])).rejects.toMatchObject({ code: "protected-path" });
    await expect(check([".github/workflows/ci.yml"], [glob])).rejects.toMatchObject({
      code: "protected-path",
    });
  });

  it("are named in part when there are many", async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `infra/${index}.tf`);

    await expect(check(paths, ["infra"])).rejects.toThrow(/`infra\/9\.tf` and 2 more/);
    await expect(check(paths.slice(2), ["infra"])).rejects.toThrow(/`infra\/10\.tf`, `infra\/11\.tf`, which/);
  });

  it("are told of with what can be done", async () => {
    await expect(check([".github"])).rejects.toMatchObject({
      hint: expect.stringContaining("`/fork <step>"),
    });
  });

  it("leave everything else alone", async () => {
    const changed = [
      ...["src/a.ts", ".github/dependabot.yml", "docs/workflows/ci.yml", "workflows/x.yaml", "docs/a~1.md"],
      ...[
        "docs/.travis.yml",
        "test/Jenkinsfile",
        "GITLAB~1/workflows/x",
        "CODEOWNER",
        "a/.github/workflows/x",
        ".gitattributes",
        ".gitmodules",
      ],
    ];
    const links = [
      link("docs/a", "../README.md"),
      link("loop", "loop"),
      link("out", "../../x"),
      link("src/self", ".."),
      link("above", "../.github/workflows"),
      link("absolute", "/.github/workflows"),
    ];

    await expect(
      check({ changed, before: links, submodules: ["vendor"] }, ["infra/**"]),
    ).resolves.toBeUndefined();
    await expect(
      check({ changed: links.map(({ path }) => path), before: [], after: links }),
    ).resolves.toBeUndefined();
  });

  it.each([
    ["the long name of another extension", "deploy/configuration.yaml", "deploy/CONFIG~1.TXT"],
    ["the name with its extension before the sign", "deploy/ab.txt", "deploy/ABTXT~1.TXT"],
  ])("are not those that have a short name like theirs: not %s", async (_, glob, path) => {
    await expect(check([path], [glob])).resolves.toBeUndefined();
  });

  it("say where a submodule in their place comes from", async () => {
    await expect(check({ changed: [".gitmodules"], submodules: [".github/actions/x"] })).rejects.toThrow(
      /gitmodules/,
    );
    await expect(check({ changed: [".gitmodules"], submodules: [".github"] })).rejects.toThrow(/gitmodules/);
    await expect(
      check({ changed: ["a/.gitmodules", ".gitmodules.md"], submodules: [".github/actions/x"] }),
    ).resolves.toBeUndefined();
  });

  it("may not be checked out, packed or shown otherwise", async () => {
    const ruled = ["src/a.ts", ".github/workflows/ci.yml"];

    await expect(check({ changed: [".gitattributes"], ruled })).rejects.toThrow(/ci\.yml \(its attributes\)/);
    await expect(check({ changed: [".gitattributes"], ruled: ["src/a.ts"] })).resolves.toBeUndefined();
  });

  const somePath = fc.constantFrom(
    ...[
      ".github/workflows/ci.yml",
      ".github/actions/x/run.sh",
      ".forgejo/workflows/a.yml",
      ".github/uwf.yml",
    ],
    ...[".gitea/actions/x", ".uwf/workflows/x.yaml", "CODEOWNERS", "docs/CODEOWNERS", "a/b/CODEOWNERS"],
  );
  const ignored = fc.constantFrom(..."\u200c\u200d\u200e\u200f\u202a\u202c\u202e\u206a\u206f\ufeff");
  const tail = fc.constantFrom("", ".", " ", ". .", ":s", "::$DATA");
  /** The same name as some file system has it. */
  const misspelled = (name: string) =>
    fc
      .tuple(
        fc.array(fc.record({ upper: fc.boolean(), before: fc.option(ignored, { freq: 5 }) }), {
          minLength: name.length,
          maxLength: name.length,
        }),
        tail,
      )
      .map(
        ([changes, end]) =>
          [...name]
            .map((char, at) => (changes[at]?.before ?? "") + (changes[at]?.upper ? char.toUpperCase() : char))
            .join("") + end,
      );

  it("are found however each of their names is spelled", async () => {
    const spelled = somePath.chain((path) =>
      fc.tuple(...path.split("/").map(misspelled)).map((names) => names.join("/")),
    );

    await fc.assert(
      fc.asyncProperty(spelled, async (path) => {
        await expect(check([path])).rejects.toMatchObject({ code: "protected-path" });
      }),
      { numRuns: 500 },
    );
  });

  it("are decided in a time that grows with the path, whatever it is", async () => {
    const path = `${"github~1/".repeat(400)}x`;

    await expect(check([path], ["**/.github/**/workflows/**/x"])).resolves.toBeUndefined();
  });

  it("all have a name that the list by default says", () => {
    expect(new Set(protectedByDefault).size).toBe(protectedByDefault.length);
  });
});
