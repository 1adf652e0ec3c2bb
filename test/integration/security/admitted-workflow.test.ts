import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { requireUnprotected } from "../../../src/worker/publish/protected-paths.ts";
import type { SourceFile } from "../../fixtures/git-source.ts";
import { type Begun, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { faultyFile, triageFile } from "../../rigs/designer-story.ts";

const BRANCH = "uwf/issue-1-fix";
const PATH = ".uwf/workflows/triage.yaml";
const ADMITTED = { path: PATH, text: triageFile };

const FILES: Readonly<Record<string, SourceFile>> = {
  "a.txt": "a\n",
  "bin/run": { program: "#!/bin/sh\n" },
  ".uwf/workflows/other.yaml": "name: other\n",
  "made.yaml": triageFile,
  "faulty.yaml": faultyFile,
};

const MADE = `cp made.yaml ${PATH}`;

/** What is there beside the file that was made, or instead of it, and the path that has to be named. */
const attempts: readonly (readonly [string, string, string])[] = [
  ["other bytes", `cp faulty.yaml ${PATH}`, PATH],
  ["a byte more", `${MADE}; echo >> ${PATH}`, PATH],
  ["another line end", `sed 's/$/\\r/' made.yaml > ${PATH}`, PATH],
  ["another name", "cp made.yaml .uwf/workflows/triage2.yaml", ".uwf/workflows/triage2.yaml"],
  ["another ending", "cp made.yaml .uwf/workflows/triage.yml", ".uwf/workflows/triage.yml"],
  ["another case of the name", "cp made.yaml .uwf/workflows/Triage.yaml", ".uwf/workflows/Triage.yaml"],
  [
    "another case of the folder",
    "mkdir -p .UWF/workflows; cp made.yaml .UWF/workflows/triage.yaml",
    ".UWF/workflows/triage.yaml",
  ],
  ["a short name", "mkdir -p UWF~1/WORKFL~1; cp made.yaml UWF~1/WORKFL~1/triage.yaml", "UWF~1/"],
  [
    "a folder deeper",
    "mkdir .uwf/workflows/x; cp made.yaml .uwf/workflows/x/triage.yaml",
    ".uwf/workflows/x/",
  ],
  ["a link in its place", `ln -s ../../made.yaml ${PATH}`, PATH],
  ["a program", `${MADE}; chmod +x ${PATH}`, PATH],
  ["another workflow changed", `${MADE}; echo x >> .uwf/workflows/other.yaml`, ".uwf/workflows/other.yaml"],
  ["another workflow removed", `${MADE}; rm .uwf/workflows/other.yaml`, ".uwf/workflows/other.yaml"],
  ["a role's file", `${MADE}; echo b > b.txt`, PATH],
  ["a role's change", `${MADE}; echo b >> a.txt`, PATH],
  ["rules for it", `${MADE}; echo '*.yaml -diff' > .gitattributes`, PATH],
  ["a link that leads to it", `${MADE}; ln -s ${PATH} flow.yaml`, PATH],
];

const push = async (rig: WorkspaceRig, { thread }: Begun, protectedPaths: readonly string[] = []) =>
  rig.push(
    thread,
    await rig.capture(thread),
    {},
    {
      examine: (tree) => requireUnprotected(tree, { protectedPaths: [...protectedPaths] }, ADMITTED),
    },
  );

describe("a workflow file that was made and checked", () => {
  let rig: WorkspaceRig;
  beforeAll(() => {
    rig = workspaceRig(FILES);
  });
  afterEach(() => {
    if (rig.source.git("for-each-ref", `refs/heads/${BRANCH}`) !== "")
      rig.source.git("update-ref", "-d", `refs/heads/${BRANCH}`);
  });
  afterAll(() => rig.dispose());

  it("is published as the only change, new or in the place of an earlier one", async () => {
    const begun = await rig.begin();
    await begun.sh(MADE);
    expect((await push(rig, begun)).changed).toBe(true);

    expect(rig.source.show(BRANCH, PATH).toString()).toBe(triageFile);
    const other = workspaceRig({ ...FILES, [PATH]: faultyFile });
    const again = await other.begin();
    await again.sh(MADE);
    expect((await push(other, again)).changed).toBe(true);
    await other.dispose();
  });

  it.for(attempts)("is not published with anything else: %s", async ([, script, named], context) => {
    countAttempts(context, "admitted workflow");
    const begun = await rig.begin();
    expect(await begun.sh(script)).toMatchObject({ exitCode: 0 });

    const error = await push(rig, begun).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "protected-path", message: expect.stringContaining(`\`${named}`) });
    await rig.workspaces.close(begun.thread);
  });

  it.each<{ where: string; files: typeof FILES; script?: string; protectedPaths?: readonly string[] }>([
    { where: "is protected by the repository's own word", files: {}, protectedPaths: [".uwf/**"] },
    {
      where: "is another protected file's by a link",
      files: {
        [PATH]: faultyFile,
        ".github/workflows/ci.yml": { link: "../../.uwf/workflows/triage.yaml" },
      },
    },
    {
      where: "is another workflow's by a link",
      files: { [PATH]: faultyFile, ".uwf/workflows/aka.yaml": { link: "triage.yaml" } },
    },
    { where: "was a link before", files: { [PATH]: { link: "../../a.txt" } } },
    {
      where: "was a program before",
      files: { [PATH]: { program: "#!/bin/sh\n" } },
      script: `${MADE}; chmod +x ${PATH}`,
    },
  ])("is not published where its path $where", async ({ files, script = MADE, protectedPaths = [] }) => {
    const other = workspaceRig({ ...FILES, ...files });
    const begun = await other.begin();
    await begun.sh(`rm -f ${PATH}; ${script}`);

    await expect(push(other, begun, protectedPaths)).rejects.toMatchObject({ code: "protected-path" });
    await other.dispose();
  });
});
