import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

let rig: WorkspaceRig;
beforeEach(() => {
  rig = workspaceRig({
    "a.txt": "a\n",
    "d/b.txt": "b\n",
    "run.sh": { program: "true\n" },
    ".gitignore": "made/\n",
  });
});
afterEach(() => rig.dispose());

describe("restore", () => {
  it("brings changed, new and removed files back to a captured state, and leaves what git ignores", async () => {
    const { thread, workspace, sh } = await rig.begin();
    await sh("echo A > a.txt; rm run.sh; echo new > d/new.txt; ln -s a.txt link");
    const captured = await rig.capture(thread);
    await sh(
      "rm -r d a.txt link; echo other > other.txt; mkdir a.txt; touch a.txt/x; mkdir made; echo kept > made/kept; git init -q nested; touch nested/n; chmod 000 other.txt",
    );

    await rig.workspaces.restore(thread, captured);

    expect(await rig.capture(thread)).toBe(captured);
    const listed = await sh("find . -name .git -prune -o -type f -print -o -type l -print | sort");
    expect(listed.output.trim().split("\n")).toEqual(
      ["./.gitignore", "./a.txt", "./d/b.txt", "./d/new.txt", "./link", "./made/kept"].sort(),
    );
    expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("A\n");
  });

  it("goes back to the commit as it is", async () => {
    const { thread, workspace, sh } = await rig.begin();
    const captured = await rig.capture(thread);
    await sh("echo A > a.txt; chmod -x run.sh");

    await rig.workspaces.restore(thread, captured);

    expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("a\n");
    expect(statSync(join(workspace.directory, "run.sh")).mode & 0o100).toBe(0o100);
  });

  it("refuses a thread that has no such workspace here", async () => {
    const first = await rig.begin();
    const captured = await rig.capture(first.thread);
    await rig.workspaces.close(first.thread);
    rig.source.commit({ "a.txt": "later\n" });
    const second = await rig.begin();

    for (const thread of [first.thread, second.thread])
      await expect(rig.workspaces.restore(thread, captured)).rejects.toMatchObject({
        code: "workspace-missing",
      });
  });
});
