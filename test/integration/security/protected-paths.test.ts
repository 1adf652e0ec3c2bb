import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { requireUnprotected } from "../../../src/worker/publish/protected-paths.ts";
import type { SourceFile } from "../../fixtures/git-source.ts";
import { type Begun, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const BRANCH = "uwf/issue-1-fix";

const FILES: Readonly<Record<string, SourceFile>> = {
  "a.txt": "a\n",
  ".github/workflows/ci.yml": "on: push\n",
  ".github/workflows/old.yml": { link: "../../ci/old.yml" },
  ".github/actions/x/run.sh": { program: "#!/bin/sh\n" },
  "ci/old.yml": "on: push\n",
  "ci/flows/a.yml": "on: push\n",
  CODEOWNERS: { link: "owners/all" },
  "owners/all": "* @ann\n",
  "docs/index.md": "# Docs\n",
};

/** What a role does in its workspace, and the path that has to be named. */
const attempts: readonly (readonly [string, string, string])[] = [
  ["a change", "echo more >> .github/workflows/ci.yml", ".github/workflows/ci.yml"],
  ["a new file", "echo x > .github/workflows/evil.yml", ".github/workflows/evil.yml"],
  [
    "a new folder of another forge",
    "mkdir -p .forgejo/workflows; echo x > .forgejo/workflows/a.yml",
    ".forgejo/",
  ],
  ["a removal", "rm .github/workflows/ci.yml", ".github/workflows/ci.yml"],
  ["a file moved away", "mv .github/workflows/ci.yml x.yml", ".github/workflows/ci.yml"],
  ["a file moved there", "mv a.txt .github/workflows/a.yml", ".github/workflows/a.yml"],
  ["a folder moved away", "mv .github old", ".github/"],
  ["a mode", "chmod -x .github/actions/x/run.sh", ".github/actions/x/run.sh"],
  ["another case", "mkdir -p .GitHub/Workflows; echo x > .GitHub/Workflows/e.yml", ".GitHub/Workflows/e.yml"],
  [
    "ignored characters",
    "mkdir -p $'.git\\u200chub/workflows'; echo x > $'.git\\u200chub/workflows/e.yml'",
    ".git",
  ],
  ["a short name", "mkdir -p GITHUB~1/WORKFL~1; echo x > GITHUB~1/WORKFL~1/e.yml", "GITHUB~1/"],
  ["a trailing dot", "mkdir -p .github./workflows; echo x > .github./workflows/e.yml", ".github./"],
  ["a link in a file's place", "ln -sf ../../a.txt .github/workflows/ci.yml", ".github/workflows/ci.yml"],
  ["another target of a link", "ln -sf ../../a.txt .github/workflows/old.yml", ".github/workflows/old.yml"],
  ["a file in a link's place", "rm CODEOWNERS; echo '* @eve' > CODEOWNERS", "CODEOWNERS"],
  ["what a link leads to", "echo '* @eve' > owners/all", "owners/all (CODEOWNERS)"],
  ["what a workflow's link leads to", "echo evil > ci/old.yml", "ci/old.yml (.github/workflows/old.yml)"],
  ["a folder on a link's way", "mv owners them; ln -s them owners", "owners"],
  ["a link in the folder's place", "mv .github gh; ln -s gh .github", ".github"],
  [
    "a link in the inner folder's place",
    "rm -r .github/workflows; ln -s ../ci/flows .github/workflows",
    ".github/workflows",
  ],
  ["a link in a new folder's place", "ln -s ci/flows .gitea", ".gitea"],
  ["a file in a folder's place", "rm -r .github; echo x > .github", ".github"],
  ["a link in docs' place", "mv docs d; ln -s d docs", "docs"],
  ["a link to a protected file", "ln -s ../.github/workflows/ci.yml docs/ci.yml", "docs/ci.yml"],
  ["a link to a protected folder", "ln -s .github/workflows flows", "flows"],
  ["through a link", "ln -s .github/workflows flows; echo x > flows/evil.yml", ".github/workflows/evil.yml"],
  ["through a link that is gone", "ln -s .github g; echo x > g/uwf.yml; rm g", ".github/uwf.yml"],
  ["a filter", "echo '.github/** filter=lfs' > .gitattributes", ".github/workflows/ci.yml (its attributes)"],
  [
    "another encoding",
    "echo '*.yml working-tree-encoding=UTF-16' > .gitattributes",
    ".github/workflows/ci.yml (its attributes)",
  ],
  [
    "hidden differences",
    "echo '*.yml linguist-generated -diff' > .github/.gitattributes",
    ".github/workflows/ci.yml (its attributes)",
  ],
  [
    "a folder's rules",
    "echo '* export-ignore' > .github/workflows/.gitattributes",
    ".github/workflows/.gitattributes",
  ],
  [
    "names of others beside",
    "printf x > $'\\377.yml'; echo x > .github/workflows/evil.yml",
    ".github/workflows/evil.yml",
  ],
];

const push = async (rig: WorkspaceRig, { thread }: Begun, change = {}) =>
  rig.push(thread, await rig.capture(thread), change, {
    examine: (tree) => requireUnprotected(tree, { protectedPaths: [] }),
  });
const branchesOf = ({ source }: WorkspaceRig) =>
  source.git("for-each-ref", "--format=%(refname:short)", "refs/heads");

describe("a protected path", () => {
  let rig: WorkspaceRig;
  beforeAll(() => {
    rig = workspaceRig(FILES);
  });
  afterEach(() => rig.source.git("update-ref", "-d", `refs/heads/${BRANCH}`));
  afterAll(() => rig.dispose());

  it.for(attempts)("is not published: %s", async ([, script, named], context) => {
    countAttempts(context, "protected paths");
    const begun = await rig.begin();
    const { exitCode } = await begun.sh(script);
    const error = await push(rig, begun).catch((thrown: unknown) => thrown);

    expect(exitCode).toBe(0);
    expect(error).toMatchObject({ code: "protected-path", message: expect.stringContaining(`\`${named}`) });
    expect(branchesOf(rig)).toBe("main");
    // The change itself is one that git publishes where nothing is protected.
    expect((await rig.push(begun.thread, await rig.capture(begun.thread))).changed).toBe(true);
    await rig.workspaces.close(begun.thread);
  });
});

describe("a protected path, whatever work begins with,", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  beforeEach(async () => {
    rig = workspaceRig(FILES);
    begun = await rig.begin();
  });
  afterEach(() => rig.dispose());

  it("is not published with a second commit", async (context) => {
    countAttempts(context, "protected paths");
    await begun.sh("echo more >> a.txt");
    const first = await push(rig, begun);
    await begun.sh("echo more >> .github/workflows/ci.yml");

    await expect(push(rig, begun)).rejects.toMatchObject({ code: "protected-path" });
    expect(rig.source.git("rev-parse", BRANCH)).toBe(first.commit);
  });

  it("is not published on the branch of a pull request", async (context) => {
    countAttempts(context, "protected paths");
    await begun.sh("echo more >> a.txt");
    const { commit } = await push(rig, begun);
    rig.source.git("checkout", "--quiet", BRANCH);
    const next = await rig.begin();
    rig.source.git("checkout", "--quiet", "main");
    await next.sh("rm .github/workflows/ci.yml");

    expect(next.base).toBe(commit);
    await expect(push(rig, next, { onto: "existing-branch" })).rejects.toMatchObject({
      code: "protected-path",
    });
    expect(rig.source.git("rev-parse", BRANCH)).toBe(commit);
  });

  /** As a forge shows what somebody proposes from a repository of their own. */
  const proposed = async (files: Readonly<Record<string, SourceFile>>): Promise<Begun> => {
    rig.source.git("checkout", "--quiet", "--detach");
    rig.source.git("update-ref", "refs/pull/7/head", rig.source.commit(files));
    rig.source.git("checkout", "--quiet", "main");
    const signal = new AbortController().signal;
    const { repository } = rig.source;
    const { commit: base } = await rig.workspaces.fetch(
      { repository },
      { branch: null, pullRequest: 7, signal },
    );
    return rig.begin(null, base);
  };

  it("is not published with a base that is somebody else's", async (context) => {
    countAttempts(context, "protected paths");
    const theirs = await proposed({ ".github/workflows/evil.yml": "on: push\n" });
    await theirs.sh("echo more >> a.txt");

    await expect(push(rig, theirs)).rejects.toThrow(/`\.github\/workflows\/evil\.yml`/);
    expect(branchesOf(rig)).toBe("main");
  });

  it("is left alone by a base of somebody else that changes none", async () => {
    const theirs = await proposed({ "theirs.txt": "1\n" });
    await theirs.sh("echo more >> a.txt");

    expect((await push(rig, theirs)).changed).toBe(true);
  });

  it("is left alone by work that begins with what people have changed in it, or have dropped since", async () => {
    rig.source.commit({ ".github/workflows/ci.yml": "on: [push]\n" });
    const newer = await rig.begin();
    rig.source.git("commit", "--quiet", "--amend", "--message", "Rewritten");
    await newer.sh("echo more >> a.txt");

    expect((await push(rig, newer)).changed).toBe(true);
  });
});
