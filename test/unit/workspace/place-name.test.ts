import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeName } from "../../../src/workspace/place-name.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

describe("the name of a place", () => {
  let temporary: TemporaryDirectory;
  beforeEach(async () => {
    temporary = await temporaryDirectory("uwf-place-");
  });
  afterEach(() => temporary.remove());

  it("is given once, and read by whoever shares the directory", async () => {
    const names = await Promise.all(Array.from({ length: 10 }, () => placeName(temporary.path)));
    const again = await placeName(temporary.path);

    expect(again).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(names)).toEqual(new Set([again]));
    expect(await readdir(temporary.path)).toEqual(["place"]);
    expect(await readFile(join(temporary.path, "place"), "utf8")).toBe(`${again}\n`);
  });

  it("is another one in another directory", async () => {
    const other = join(temporary.path, "other");
    await mkdir(other);

    expect(await placeName(other)).not.toBe(await placeName(temporary.path));
  });

  it("is the one that somebody has written", async () => {
    await writeFile(join(temporary.path, "place"), "mine\n");

    expect(await placeName(temporary.path)).toBe("mine");
  });

  it("is not made up where it cannot be read or kept", async () => {
    await mkdir(join(temporary.path, "as/place"), { recursive: true });
    await symlink("gone/place", join(temporary.path, "place"));

    await expect(placeName(join(temporary.path, "as"))).rejects.toMatchObject({ code: "EISDIR" });
    await expect(placeName(join(temporary.path, "gone"))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(placeName(temporary.path)).rejects.toMatchObject({ code: "ENOENT" });
    expect((await readdir(temporary.path)).sort()).toEqual(["as", "place"]);
  });
});
