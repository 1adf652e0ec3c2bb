import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { noSandbox } from "../../../src/workspace/sandbox/no-sandbox.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

const run = async (workspace: Workspace, command: string, keepsHome = false) => {
  const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000, signal: new AbortController().signal };
  return (await workspace.exec({ command, ...limits, ...(keepsHome ? { keepsHome } : {}) })).output.trim();
};

describe.skipIf(!bubblewrapIsHere())("a program that keeps its home directory", () => {
  const LIMITS = { memoryMb: 512, processes: 64 };
  let rig: WorkspaceRig;
  beforeEach(() => {
    rig = workspaceRig({ "readme.md": "# Hello\n" }, { sandbox: bubblewrapSandbox(LIMITS) });
  });
  afterEach(() => rig.dispose());

  it("finds again what it left there, which other commands and other threads do not see", async () => {
    const { workspace, thread } = await rig.begin();
    const other = await rig.begin();

    expect(
      await run(workspace, "mkdir ~/.sessions && echo one > ~/.sessions/1 && cat ~/.sessions/1", true),
    ).toBe("one");

    expect(await run(workspace, "cat ~/.sessions/1", true)).toBe("one");
    expect(await run(workspace, "ls -A ~; ls -d /agent-home")).toContain("No such file");
    expect(await run(other.workspace, "ls -A ~", true)).toBe("");
    const home = join(rig.root, "workspaces", thread, "agent-home");
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const captured = await rig.store.load("workspace", await rig.capture(thread));
    expect(captured.files).toEqual([]);
  });

  it("leaves nothing to whoever gets the thread's directory next", async () => {
    const { workspace, thread } = await rig.begin();
    await run(workspace, "echo secret > ~/key", true);

    await rig.workspaces.close(thread);
    const next = await rig.begin();

    expect(await run(next.workspace, "ls -A ~", true)).toBe("");
    expect(existsSync(join(rig.root, "workspaces", thread))).toBe(false);
  });
});

it("is this user's home directory without a sandbox", async () => {
  const rig = workspaceRig({ "readme.md": "# Hello\n" }, { sandbox: noSandbox() });
  const { workspace } = await rig.begin();

  expect(await run(workspace, "echo ~", true)).toBe(await run(workspace, "echo ~"));
  await rig.dispose();
});
