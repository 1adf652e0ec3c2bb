import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { giveTo } from "../../../src/workspace/checkout.ts";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";

const isRoot = process.geteuid?.() === 0;

/** Mount namespaces that this process has open. */
const namespaces = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith("mnt:");
    } catch {
      return false;
    }
  }).length;

describe.skipIf(!bubblewrapIsHere() || !isRoot)("a sandbox that root starts (needs to be root)", () => {
  let parent: string;
  const sandbox = bubblewrapSandbox({ memoryMb: 512, processes: 40 });
  /** In a directory that nobody but root may enter. */
  const directory = async (name: string): Promise<string> => {
    const path = join(parent, name);
    mkdirSync(path);
    writeFileSync(join(path, "name"), name);
    await giveTo(sandbox.owner, path);
    return path;
  };
  const run = async (source: string, script: string): Promise<string> => {
    const { output } = await sandbox.run({
      argv: ["bash", "-c", script],
      cwd: "/workspace",
      env: {},
      mounts: [{ source, target: "/workspace", writable: true }],
      timeoutMs: 20_000,
      maxOutputBytes: 10_000,
      signal: new AbortController().signal,
    });
    return output;
  };
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "uwf-root-"));
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it("shows each of many threads its own directory, again and all at once, and keeps few of them prepared", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `thread-${index}`);
    const sources = await Promise.all(names.map(directory));
    const before = namespaces();

    const inTurn: string[] = [];
    for (const source of sources) inTurn.push(await run(source, "cat name"));
    const again = [];
    for (let each = 0; each < sources.length; each += 8)
      again.push(
        ...(await Promise.all(sources.slice(each, each + 8).map((source) => run(source, "cat name")))),
      );

    expect(inTurn).toEqual(names);
    expect(again).toEqual(names);
    expect(namespaces() - before).toBeLessThanOrEqual(32);
  });

  it("has none of root's groups", async () => {
    const groups = await run(await directory("one"), "grep Groups /proc/self/status");

    expect(groups.trim()).toBe("Groups:");
  });

  it("says which directory it could not prepare, and prepares it when it is there", async () => {
    const missing = join(parent, "missing");

    await expect(run(missing, "true")).rejects.toMatchObject({
      code: "sandbox-unavailable",
      message: expect.stringContaining(missing),
    });
    expect(await run(await directory("missing"), "cat name")).toBe("missing");
  });
});
