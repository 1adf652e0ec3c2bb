import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { RepositoryConfig } from "../../../src/config/repository-config.ts";
import { branchName } from "../../../src/forge/text/branch-name.ts";
import {
  type Begun,
  commitRequest,
  unexamined,
  type WorkspaceRig,
  workspaceRig,
} from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const isTakenByGit = (branch: string): boolean =>
  !branch.includes("\0") && spawnSync("git", ["check-ref-format", `refs/heads/${branch}`]).status === 0;

describe("a branch that work is pushed to", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  let captured: Hash;
  let remote: string;
  beforeAll(async () => {
    rig = workspaceRig({ "a.txt": "a\n" });
    remote = join(rig.source.directory, "remote.git");
    execFileSync("git", ["clone", "--quiet", "--bare", rig.source.repository, remote]);
    begun = await rig.begin();
    await begun.sh("echo changed > a.txt");
    captured = await rig.capture(begun.thread);
  });
  afterAll(() => rig.dispose());

  const refs = (): string => execFileSync("git", ["for-each-ref"], { cwd: remote }).toString();
  const push = (branch: string, prefix = "uwf/") =>
    rig.workspaces.push(
      begun.thread,
      captured,
      { ...commitRequest, branch, prefix },
      { url: remote, token: null },
      unexamined,
    );

  it.for([
    ...[
      "main",
      "uwf",
      "UWF/x",
      "Uwf/x",
      "uw",
      "xuwf/y",
      "refs/heads/uwf/x",
      "heads/uwf/x",
      "HEAD",
      "@",
      "-",
      "",
    ],
    ...[
      "uwf/",
      "uwf//x",
      "uwf/x/",
      "uwf/.x",
      "uwf/x.lock",
      "uwf/x.lock/y",
      "uwf/x..y",
      "uwf/x.",
      "uwf/../main",
    ],
    ...["uwf/@{x", "uwf/x^", "uwf/x~1", "uwf/x?", "uwf/x*", "uwf/[x", "uwf/x\\y", "uwf/x y", "uwf/x\ty"],
    ...[
      "uwf/x\n",
      "uwf/x\0y",
      "uwf/x\u007f",
      "uwf/x:main",
      "uwf/x:refs/heads/main",
      ":main",
      "+uwf/x",
      "+main",
    ],
    ...[
      "-uwf/x",
      "--force",
      "--mirror",
      "--receive-pack=touch",
      "uwf/x\nrefs/heads/main",
      "uwf/x refs/heads/main",
    ],
  ])("is none by the name of %j", async (branch, context) => {
    countAttempts(context, "ref names");
    const before = refs();

    await expect(push(branch)).rejects.toMatchObject({ code: "branch-invalid", remedy: "fix-input" });
    expect(refs()).toBe(before);
  });

  it.for([
    ["the default branch by a prefix of its name", "main", "ma"],
    ["the default branch by its own name", "main", "main"],
    ["any branch by no prefix", "uwf/x", ""],
  ] as const)("is not %s", async ([, branch, prefix], context) => {
    countAttempts(context, "ref names");
    const before = refs();

    await expect(push(branch, prefix)).rejects.toMatchObject({
      code: expect.stringMatching(/branch-(default|invalid)/),
    });
    expect(refs()).toBe(before);
  });

  it.for([
    "uwf/-x",
    "uwf/--force",
    "uwf/HEAD",
    "uwf/\u00fc",
    "uwf/refs/heads/main",
    "uwf/$(id)",
    "uwf/'\"`;&|",
  ])("is exactly %s", async (branch, context) => {
    countAttempts(context, "ref names");
    const before = refs().split("\n");
    const { commit } = await push(branch);

    expect(
      refs()
        .split("\n")
        .filter((line) => !before.includes(line)),
    ).toEqual([`${commit} commit\trefs/heads/${branch}`]);
  });

  it("is not pushed over, whatever the remote would let through", async (context) => {
    countAttempts(context, "ref names");
    const { commit } = await push("uwf/forced");
    execFileSync("git", ["config", "receive.denyNonFastForwards", "false"], { cwd: remote });
    const theirs = execFileSync("git", ["commit-tree", `${begun.base}^{tree}`, "-m", "theirs"], {
      cwd: remote,
      env: {
        PATH: process.env.PATH,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@b",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@b",
      },
    });
    execFileSync("git", ["update-ref", "refs/heads/uwf/forced", theirs.toString().trim(), commit], {
      cwd: remote,
    });

    await expect(push("uwf/forced")).rejects.toMatchObject({ code: "branch-moved" });
    expect(execFileSync("git", ["rev-parse", "uwf/forced"], { cwd: remote }).toString()).toBe(
      theirs.toString(),
    );
  });
});

describe("a branch's name", () => {
  const prefix = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,9}(\/[A-Za-z0-9][A-Za-z0-9_-]{0,9})?[/-]$/);
  const title = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc
      .array(
        fc.constantFrom(
          "..",
          "@{",
          ".lock",
          "/",
          "\\",
          "~",
          "^",
          ":",
          "?",
          "*",
          "[",
          " ",
          "\n",
          "-",
          "x",
          "HEAD",
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  );
  const number = fc.option(fc.integer({ min: 1, max: 2 ** 31 }));

  it("is one that git takes, whatever the issue and the repository's own prefix", () => {
    fc.assert(
      fc.property(prefix, title, number, (before, text, n) => {
        const { branchPrefix } = RepositoryConfig.parse({ branchPrefix: before });
        const name = branchName({ number: n, title: text }, { prefix: branchPrefix });
        expect(name.startsWith(branchPrefix)).toBe(true);
        expect(isTakenByGit(name)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("begins with a prefix that a repository may choose only where git takes it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (before) => {
        const read = RepositoryConfig.safeParse({ branchPrefix: before });
        if (read.success) expect(isTakenByGit(`${read.data.branchPrefix}issue-1`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
