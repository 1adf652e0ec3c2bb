import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeConfigFile } from "../../../src/config/setup-file.ts";

let parent: string;
let root: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "uwf-setup-"));
  root = join(parent, "deep", "root");
});
afterEach(() => rm(parent, { recursive: true }));

const content = { config: "limits: { budgetUsd: 2 }", env: "OPENAI_API_KEY=k" };
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("writeConfigFile", () => {
  it("makes the root and both files for their owner alone", async () => {
    await mkdir(root, { recursive: true, mode: 0o755 });

    const written = await writeConfigFile(root, content);

    expect(written).toEqual([join(root, ".env"), join(root, "config.yaml")]);
    expect(await modeOf(root)).toBe("700");
    expect(await Promise.all(written.map(modeOf))).toEqual(["600", "600"]);
    expect(await readFile(join(root, "config.yaml"), "utf8")).toBe("limits: { budgetUsd: 2 }\n");
  });

  it("keeps what is there, and writes nothing beside it", async () => {
    await writeConfigFile(root, { ...content, env: null });

    await expect(writeConfigFile(root, { config: "limits: {}", env: "A=1" })).rejects.toMatchObject({
      code: "config-exists",
      remedy: "fix-input",
    });

    expect(await readdir(root)).toEqual(["config.yaml"]);
    expect(await readFile(join(root, "config.yaml"), "utf8")).toContain("budgetUsd: 2");
  });

  it("replaces when asked to, and leaves nothing else behind", async () => {
    await writeConfigFile(root, content);

    await writeConfigFile(root, { config: "limits: {}", env: "B=2" }, { existing: "replace" });

    expect((await readdir(root)).sort()).toEqual([".env", "config.yaml"]);
    expect(await readFile(join(root, ".env"), "utf8")).toBe("B=2\n");
    expect(await modeOf(join(root, ".env"))).toBe("600");
  });

  it("says which directory it may not write, and what to do", async () => {
    await writeFile(join(parent, "deep"), "a file where a directory has to be");

    await expect(writeConfigFile(root, content)).rejects.toMatchObject({
      code: "config-unwritable",
      remedy: "fix-config",
      message: `the storage root ${root} cannot be written: a file stands where a directory has to be`,
      hint: expect.stringContaining("UWF_STORAGE_ROOT"),
    });
  });

  it("writes nothing that could not be read back", async () => {
    await expect(writeConfigFile(root, { config: "limts: {}", env: null })).rejects.toMatchObject({
      code: "config-invalid",
    });
    await expect(stat(root)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
