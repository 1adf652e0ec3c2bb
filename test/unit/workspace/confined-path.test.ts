import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { type Place, withinRoot } from "../../../src/workspace/confined-path.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

describe("withinRoot", () => {
  let temporary: TemporaryDirectory;
  let host: string;
  beforeEach(async () => {
    temporary = await temporaryDirectory("uwf-confined-");
    host = join(temporary.path, "tree");
    mkdirSync(join(host, "dir/inner"), { recursive: true });
    mkdirSync(join(temporary.path, "outside"));
    writeFileSync(join(host, "dir/a.txt"), "inside");
    writeFileSync(join(temporary.path, "outside/a.txt"), "secret");
  });
  afterEach(() => temporary.remove());

  const within = <T>(
    path: string,
    use: (place: Place) => T,
    links: "follow" | "never" = "follow",
  ): Promise<T> => withinRoot({ host, names: ["/workspace"] }, path, { links }, async (place) => use(place));
  const text = ({ directory, name }: Place): string => readFileSync(join(directory, name), "utf8");
  const isLink = ({ stats }: Place): boolean => stats?.isSymbolicLink() ?? false;
  /** Directories of the tree that this process holds open. */
  const held = (): string[] =>
    readdirSync("/proc/self/fd")
      .flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(temporary.path));
        } catch {
          // The descriptor that listed them.
          return [];
        }
      })
      .sort();

  it("stays with the directory that it has reached, whatever takes its name then", async () => {
    const read = await within("dir/a.txt", (place) => {
      renameSync(join(host, "dir"), join(host, "moved"));
      symlinkSync(join(temporary.path, "outside"), join(host, "dir"));
      return text(place);
    });

    expect(read).toBe("inside");
    await expect(within("dir/a.txt", text)).rejects.toMatchObject({ code: "path-outside" });
  });

  it("holds no directory open afterwards, whichever way it went and however that ended", async () => {
    symlinkSync("/workspace/dir/inner", join(host, "dir/absolute"));
    await within("dir/inner/../a.txt", () => expect(held()).toEqual([host, join(host, "dir")]));
    await within("dir/absolute/new", () => expect(held()).toHaveLength(3));
    await expect(within("dir/../../outside", text)).rejects.toMatchObject({ code: "path-outside" });
    await expect(within("dir/inner/gone/a.txt", text)).rejects.toMatchObject({ code: "file-missing" });

    expect(held()).toEqual([]);
  });

  it("takes a link for what it is where none is followed", async () => {
    symlinkSync("a.txt", join(host, "dir/link"));
    symlinkSync("dir", join(host, "folder"));

    expect(await within("dir/link", isLink, "never")).toBe(true);
    expect(await within("./dir/./link", isLink, "never")).toBe(true);
    expect(await within("dir/link", isLink)).toBe(false);
    await expect(within("folder/a.txt", text, "never")).rejects.toMatchObject({
      code: "not-a-directory",
      message: "folder/a.txt is not a directory.",
    });
  });

  it("follows forty links, and no more", async () => {
    for (let at = 0; at < 41; at++)
      symlinkSync(at === 0 ? "dir/a.txt" : `link-${at - 1}`, join(host, `link-${at}`));

    expect(await within("link-39", text)).toBe("inside");
    await expect(within("link-40", text)).rejects.toMatchObject({
      code: "path-outside",
      message: "link-40 goes through too many links.",
    });
  });

  it.each([
    ["../outside", "path-outside", "../outside is outside the workspace."],
    ["a\0b", "path-outside", "The path contains a NUL character."],
    ["gone/a.txt", "file-missing", "gone/a.txt does not exist."],
    ["dir/a.txt/b", "not-a-directory", "dir/a.txt/b is not a directory."],
    ["n".repeat(300), "file-failed", `${"n".repeat(300)}: the name is too long`],
  ])("says what is wrong with %j", async (path, code, message) => {
    await expect(within(path, text)).rejects.toMatchObject({ code, message, remedy: "fix-input" });
  });

  it("says where paths begin to whoever leaves the workspace", async () => {
    await expect(within("/etc", text)).rejects.toMatchObject({
      hint: "Give a path below the workspace's root.",
    });
  });

  it("says that nothing is there where there is no workspace any more", async () => {
    renameSync(host, `${host}-gone`);

    await expect(within("dir/a.txt", text)).rejects.toMatchObject({
      code: "file-missing",
      message: "dir/a.txt does not exist.",
    });
  });

  it.each([
    ["ENOENT", "file-missing", "dir/a.txt does not exist."],
    ["ENOTDIR", "not-a-directory", "dir/a.txt is not a directory."],
    ["ELOOP", "path-outside", "dir/a.txt is outside the workspace."],
    ["EACCES", "file-failed", "dir/a.txt: permission denied"],
    ["EPERM", "file-failed", "dir/a.txt: not permitted"],
    ["ENOSPC", "file-failed", "dir/a.txt: no space left on the device"],
    ["EISDIR", "file-failed", "dir/a.txt: is a directory"],
    ["EROFS", "file-failed", "dir/a.txt: the file system is read-only"],
    ["EDQUOT", "file-failed", "dir/a.txt: EDQUOT"],
  ])("tells of the system's %s by the path that was asked for", async (system, code, message) => {
    const cause = Object.assign(new Error("of a descriptor"), { code: system });
    const failed = within("dir/a.txt", () => {
      throw cause;
    });

    await expect(failed).rejects.toMatchObject({ code, message, remedy: "fix-input" });
  });

  it("passes on what is no error of the system", async () => {
    for (const thrown of [
      new AppError("busy", { code: "busy", remedy: "retry" }),
      new TypeError("oops"),
      "oops",
    ])
      await expect(
        within("dir/a.txt", () => {
          throw thrown;
        }),
      ).rejects.toBe(thrown);
  });
});
