import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ForgeKind } from "../../../src/forge/events.ts";
import type { Forges } from "../../../src/forge/forge.ts";
import { repositoryConfigs } from "../../../src/intake/repository-configs.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";

type Files = Record<string, string | AppError>;

/** A forge whose repositories have these files, by `owner/name path`; an error is what reading the file throws. */
const forgeWith = (files: Files, kind: ForgeKind = "github") => {
  const asked: string[] = [];
  const clock = { now: 0 };
  const repositoryAt = (repository: string) => ({
    ...fakeForge(),
    kind,
    repository,
    file: async (path: string) => {
      asked.push(`${repository} ${path}`);
      const found = files[`${repository} ${path}`];
      if (found instanceof AppError) throw found;
      return found;
    },
  });
  const forges: Forges = {
    open: async ({ repository, repositoryId }) => {
      // It is the id of the one that is asked about.
      if (repositoryId !== undefined) throw new Error(`${repository} is not ${repositoryId}`);
      const fault = files[repository];
      if (fault instanceof AppError) throw fault;
      return repositoryAt(repository);
    },
  };
  const configOf = repositoryConfigs({ forges, log: silentLog, now: () => clock.now });
  const read = (repository = "acme/parser") =>
    configOf(repositoryAt(repository), { forge: kind, repository, installationId: 17, repositoryId: 9 });
  return { files, asked, clock, read };
};

const own = "acme/parser .github/uwf.yml";
const organisation = "acme/.github .github/uwf.yml";
const fault = (code: string) =>
  new AppError("no", { code, remedy: code === "forge-unavailable" ? "retry" : "fix-input" });

describe("a repository's configuration", () => {
  it("is the default where no file is", async () => {
    expect(await forgeWith({}).read()).toMatchObject({ labels: { uwf: "solve-issue" }, budgetUsd: null });
  });

  it("adds to the organisation's", async () => {
    const { read } = forgeWith({
      [own]: "labels: { bug: fix-bug }\nreviewers: [mona]",
      [organisation]: "labels: { uwf: null }\nreviewers: [lisa]\nbudgetUsd: 2",
    });

    expect(await read()).toMatchObject({
      labels: { bug: "fix-bug", uwf: null },
      reviewers: ["mona"],
      budgetUsd: 2,
    });
  });

  it("is the organisation's where the repository has none", async () => {
    expect(await forgeWith({ [organisation]: "draft: always" }).read()).toMatchObject({ draft: "always" });
  });

  it("inherits nothing when it says so", async () => {
    const { read, asked } = forgeWith({ [own]: "_extends: null", [organisation]: "draft: always" });

    expect(await read()).toMatchObject({ draft: "until-tests-pass" });
    expect(asked).toEqual([own]);
  });

  it("inherits another repository's when it says so, and what that inherits", async () => {
    const { read } = forgeWith({
      [own]: "_extends: base\nreviewers: [mona]",
      "acme/base .github/uwf.yml": "draft: never\nreviewers: [lisa]",
      [organisation]: "draft: always\nbudgetUsd: 2",
    });

    expect(await read()).toMatchObject({ reviewers: ["mona"], draft: "never", budgetUsd: 2 });
  });

  it("may be put together by the organisation's own file", async () => {
    const { read } = forgeWith({
      [own]: "reviewers: [mona]",
      [organisation]: "_extends: base",
      "acme/base .github/uwf.yml": "draft: never",
    });

    expect(await read()).toMatchObject({ reviewers: ["mona"], draft: "never" });
  });

  it("is that of the organisation's repository for itself", async () => {
    const { read, asked } = forgeWith({ [organisation]: "draft: always" });

    expect(await read("acme/.github")).toMatchObject({ draft: "always" });
    expect(asked).toEqual([organisation]);
  });

  it("is looked for under both names on Forgejo", async () => {
    const { read, asked } = forgeWith(
      {
        "acme/parser .github/uwf.yml": "reviewers: [mona]",
        "acme/.forgejo .forgejo/uwf.yml": "draft: never",
      },
      "forgejo",
    );

    expect(await read()).toMatchObject({ reviewers: ["mona"], draft: "never" });
    expect(asked).toEqual([
      "acme/parser .forgejo/uwf.yml",
      "acme/parser .github/uwf.yml",
      "acme/.forgejo .forgejo/uwf.yml",
    ]);
  });

  it("is inherited from GitHub's name on Forgejo too", async () => {
    const { read } = forgeWith({ [organisation]: "draft: never" }, "forgejo");

    expect(await read()).toMatchObject({ draft: "never" });
  });
});

describe("reading configurations", () => {
  it("asks the forge once a minute", async () => {
    const forge = forgeWith({ [own]: "draft: never" });
    await Promise.all([forge.read(), forge.read()]);
    forge.clock.now = 59_999;
    await forge.read();
    expect(forge.asked).toEqual([own, organisation]);

    forge.files[own] = "draft: always";
    forge.clock.now = 60_000;

    expect(await forge.read()).toMatchObject({ draft: "always" });
  });

  it("asks for the organisation's file once for all of its repositories", async () => {
    const { read, asked } = forgeWith({});

    await read("acme/parser");
    await read("acme/printer");

    expect(asked.filter((one) => one === organisation)).toHaveLength(1);
  });

  it.each(["forge-missing", "forge-denied"])(
    "takes an organisation's repository that is %s for none",
    async (code) => {
      const atOpen = forgeWith({ "acme/.github": fault(code), [own]: "draft: never" });
      const atRead = forgeWith({ [organisation]: fault(code), [own]: "draft: never" });

      expect([await atOpen.read(), await atRead.read()]).toMatchObject([
        { draft: "never" },
        { draft: "never" },
      ]);
    },
  );

  it.each([
    ["repository's", own],
    ["organisation's", organisation],
  ])("fails when the %s file cannot be had now, and tries again", async (_, file) => {
    const { files, read } = forgeWith({ [file]: fault("forge-unavailable") });
    await expect(read()).rejects.toMatchObject({ code: "forge-unavailable", remedy: "retry" });

    files[file] = "draft: always";

    expect(await read()).toMatchObject({ draft: "always" });
  });

  it("fails when the repository itself denies its file", async () => {
    await expect(forgeWith({ [own]: fault("forge-denied") }).read()).rejects.toMatchObject({
      code: "forge-denied",
    });
  });
});

describe("a wrong configuration", () => {
  const problem = async (files: Files, kind?: ForgeKind): Promise<string> => {
    try {
      await forgeWith(files, kind).read();
    } catch (error) {
      expect(error).toMatchObject({ code: "repository-config-invalid", remedy: "fix-input" });
      return (error as AppError).message;
    }
    return "nothing is wrong";
  };

  it("is told with repository, file, line and problem", async () => {
    expect(await problem({ [own]: "draft: never\nlables: {}" })).toBe(
      'acme/parser .github/uwf.yml:2:1: lables: unknown field; did you mean "labels"?',
    );
  });

  it("may be the organisation's", async () => {
    expect(await problem({ [organisation]: "budgetUsd: none" })).toBe(
      "acme/.github .github/uwf.yml:1:12: budgetUsd: must be a number",
    );
  });

  it("is told only in part when everything is wrong", async () => {
    const message = await problem({ [own]: Array.from({ length: 7 }, (_, n) => `x${n}: 1`).join("\n") });

    expect(message.split("\n")).toHaveLength(6);
    expect(message).toContain("and 2 more problems");
  });

  it("is obeyed as soon as it is corrected", async () => {
    const { files, read } = forgeWith({ [own]: "draft: maybe" });
    await expect(read()).rejects.toMatchObject({ code: "repository-config-invalid" });

    files[own] = "draft: never";

    expect(await read()).toMatchObject({ draft: "never" });
  });

  it("names a repository that has no such file", async () => {
    expect(await problem({ [own]: "draft: never\n_extends: base" }, "forgejo")).toBe(
      "acme/parser .github/uwf.yml:2:11: _extends: there is no .forgejo/uwf.yml or .github/uwf.yml in acme/base, or the bot cannot see it",
    );
  });

  it("goes in a circle", async () => {
    const files = { [own]: "_extends: base", "acme/base .github/uwf.yml": "_extends: Acme/Parser" };

    expect(await problem(files)).toBe(
      "acme/base .github/uwf.yml:1:11: _extends: goes in a circle: acme/parser → acme/base → Acme/Parser",
    );
  });

  it("goes on and on", async () => {
    const levels = (last: number) =>
      Object.fromEntries([
        [own, "_extends: base1"],
        ...Array.from({ length: last }, (_, n) => [
          `acme/base${n + 1} .github/uwf.yml`,
          n + 1 === last ? "_extends: null\ndraft: never" : `_extends: base${n + 2}`,
        ]),
      ]);

    expect(await forgeWith(levels(5)).read()).toMatchObject({ draft: "never" });
    expect(await problem(levels(6))).toBe(
      "acme/base5 .github/uwf.yml:1:11: _extends: more than 5 files would be inherited, one through the other",
    );
  });
});
