import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protectedByDefault } from "../../../src/config/protected-paths.ts";
import { requireUnprotected } from "../../../src/worker/publish/protected-paths.ts";
import type { PublishedTree, TreeLink } from "../../../src/workspace/published-tree.ts";

type Tree = {
  changed: readonly string[];
  before?: readonly TreeLink[];
  after?: readonly TreeLink[];
  submodules?: string[];
  ruled?: string[];
};

const treeOf = ({
  changed,
  before = [],
  after = before,
  submodules = [],
  ruled = [],
}: Tree): PublishedTree => ({
  changes: changed.map((path) => ({ path, was: "100644", mode: "100644", object: "" })),
  before: { links: [...before], submodules },
  after: { links: [...after], submodules },
  ruledOtherwise: async (matters) => ruled.filter(matters),
  bytes: async () => Buffer.alloc(0),
});

const check = (tree: Tree | readonly string[], protectedPaths: string[] = []): Promise<void> =>
  requireUnprotected(treeOf("changed" in tree ? tree : { changed: tree }), { protectedPaths });

const link = (path: string, target: string): TreeLink => ({ path, target });

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
    ["alternatives", "{infra,deploy}/**", "deploy/a"],
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
  });

  it("leave everything else alone", async () => {
    const changed = [
      ...["src/a.ts", ".github/dependabot.yml", "docs/workflows/ci.yml", "workflows/x.yaml", "docs/a~1.md"],
      ...["GITLAB~1/workflows/x", "CODEOWNER", "a/.github/workflows/x", ".gitattributes", ".gitmodules"],
    ];
    const links = [
      link("docs/a", "../README.md"),
      link("loop", "loop"),
      link("out", "../../x"),
      link("src/self", ".."),
    ];

    await expect(
      check({ changed, before: links, submodules: ["vendor"] }, ["infra/**"]),
    ).resolves.toBeUndefined();
  });

  it.each<[string, Tree, string]>([
    [
      "a folder's link",
      { changed: ["ci/workflows/a.yml"], before: [link(".github", "ci")] },
      ".github/workflows/a.yml",
    ],
    [
      "an inner folder's link",
      { changed: ["ci/a.yml"], before: [link(".github/workflows", "../ci")] },
      ".github/workflows/a.yml",
    ],
    ["a file's link", { changed: ["owners"], before: [link("CODEOWNERS", "./owners")] }, "CODEOWNERS"],
    [
      "links in links",
      { changed: ["z/a.yml"], before: [link(".github", "x"), link("x", "y"), link("y/workflows", "../z")] },
      ".github/workflows/a.yml",
    ],
    [
      "a link that is new",
      { changed: ["ci/workflows/a.yml"], after: [link(".github", "ci")] },
      ".github/workflows/a.yml",
    ],
    [
      "a link that is gone",
      { changed: ["ci/workflows/a.yml"], before: [link(".github", "ci")], after: [] },
      ".github/workflows/a.yml",
    ],
    [
      "a link in another case",
      { changed: ["ci/workflows/a.yml"], before: [link(".GITHUB", "ci")] },
      ".GITHUB/workflows/a.yml",
    ],
    [
      "the whole tree",
      { changed: ["a.js"], before: [link(".github/actions/x", "../..")] },
      ".github/actions/x/a.js",
    ],
  ])("are what is read through %s", async (_, tree, name) => {
    const error = await check(tree).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "protected-path", message: expect.stringContaining(`(${name})`) });
  });

  it("are the links on the way to them", async () => {
    const before = [link(".github", "x"), link("x", "y")];
    const after = [link(".github", "x"), link("x", "evil")];

    await expect(check({ changed: ["x"], before, after })).rejects.toThrow(/changes `x`/);
  });

  it("may not be led to by a new link", async () => {
    const after = [link("notes", "n"), link("n", ".github/workflows")];

    await expect(check({ changed: ["notes"], before: [], after })).rejects.toThrow(
      /`notes \(\.github\/workflows\)`/,
    );
  });

  it("are not reached by more links than anybody can follow", async () => {
    const before = Array.from({ length: 5_001 }, (_, index) => link(`.github/workflows/${index}`, "x"));

    await expect(check({ changed: ["a"], before })).rejects.toMatchObject({ code: "protected-path" });
  });

  it("say where a submodule in their place comes from", async () => {
    await expect(check({ changed: [".gitmodules"], submodules: [".github/actions/x"] })).rejects.toThrow(
      /gitmodules/,
    );
    await expect(check({ changed: [".gitmodules"], submodules: [".github"] })).rejects.toThrow(/gitmodules/);
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

  it("are found behind whatever links lead to them, and nothing is that no name reaches", async () => {
    const folder = fc.constantFrom("ci", "ci/deep", "x", "y/z");
    const chain = fc.array(folder, { minLength: 1, maxLength: 4 }).map((all) => [...new Set(all)]);

    await fc.assert(
      fc.asyncProperty(chain, somePath, async (hops, path) => {
        const [top = "", ...rest] = path.split("/");
        const links = ["l0", ...hops.map((_, at) => `l${at + 1}`)].map((name, at) =>
          link(name, at < hops.length ? `l${at + 1}` : "real"),
        );
        const tree = { changed: [["real", ...rest].join("/")], before: [link(top, "l0"), ...links] };
        if (rest.length === 0) return;

        await expect(check(tree)).rejects.toMatchObject({ code: "protected-path" });
      }),
    );
    const plain = fc.stringMatching(/^[b-bdf-hj-nq-tv-z]{1,8}(\/[b-bdf-hj-nq-tv-z]{1,8}){0,3}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { maxLength: 5 }), async (paths) => {
        await expect(check(paths)).resolves.toBeUndefined();
      }),
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
