import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, link, type Tree } from "../../fixtures/published-tree.ts";

describe("protected paths, behind links,", () => {
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
      "one of several links",
      {
        changed: ["fo/workflows/a.yml"],
        before: [link(".github", "ci"), link(".forgejo", "fo"), link(".gitea", "te")],
      },
      ".forgejo/workflows/a.yml",
    ],
    [
      "links in links, whatever their order",
      {
        changed: ["zz/a.yml"],
        before: [link("y/workflows", "../zz"), link("x", "y"), link("a", "b"), link(".github", "x")],
      },
      ".github/workflows/a.yml",
    ],
    [
      "folders with dots in their names",
      { changed: ["a./workflows/x.yml"], before: [link(".github", "a./b/..")] },
      ".github/workflows/x.yml",
    ],
    [
      "folders that begin with a dot",
      { changed: [".x/owners"], before: [link("CODEOWNERS", ".x/b/../owners")] },
      "CODEOWNERS",
    ],
    [
      "a link in the whole tree",
      { changed: ["flows/a.yml"], before: [link(".forgejo", "."), link("workflows", "flows")] },
      ".forgejo/workflows/a.yml",
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

  it("are not reached by so many links that to look at them would hold up everybody else", async () => {
    const spelled = Array.from({ length: 1_000 }, (_, index) =>
      [...".github"]
        .map((char, at) => ((index >> at) & 1 ? `${char}\u200c` : char))
        .join("")
        .concat("\u200d".repeat(index >> 7)),
    );
    const before = spelled.map((path) => link(path, "."));
    const changed = Array.from({ length: 5_000 }, (_, index) => `src/${index}.ts`);

    await expect(check({ changed, before })).rejects.toThrow(/More links than can be looked at/);
    await expect(check({ changed, before: before.slice(0, 10) })).rejects.toThrow(/More links than can be/);
    await expect(check({ changed, before: before.slice(0, 1) })).resolves.toBeUndefined();
  });

  it("are looked for among links that lie on the way alone, however many others there are", async () => {
    const others = Array.from({ length: 3_000 }, (_, index) => link(`a/${index}`, "x"));
    const shared = Array.from({ length: 10 }, (_, index) =>
      link(`.github/workflows/${index}.yml`, `../../ci/${index}`),
    );

    await expect(check({ changed: ["ci/7"], before: [...others, ...shared] })).rejects.toThrow(
      /`ci\/7 \(\.github\/workflows\/7\.yml\)`/,
    );
  });

  it("are not led to by links whose ways are so long that to follow them would hold up everybody else", async () => {
    const detour = "/x/..".repeat(800);
    const after = Array.from({ length: 30 }, (_, index) => link(`l${index}`, `l${index + 1}${detour}`));
    const changed = after.map(({ path }) => path);

    await expect(check({ changed, before: [], after })).rejects.toThrow(/More links than can be looked at/);
    await expect(check({ changed: ["l28", "l29"], before: [], after })).resolves.toBeUndefined();
  });

  const somePath = fc.constantFrom(
    ...[".github/workflows/ci.yml", ".github/actions/x/run.sh", ".github/uwf.yml", ".gitea/actions/x"],
    ...[".uwf/workflows/x.yaml", "docs/CODEOWNERS", "a/b/CODEOWNERS"],
  );

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
});
