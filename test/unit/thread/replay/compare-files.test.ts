import { describe, expect, it } from "vitest";
import type { Hash } from "../../../../src/base/ids.ts";
import { makeNode } from "../../../../src/store/node.ts";
import type { Payload } from "../../../../src/store/payload.ts";
import { compareFiles } from "../../../../src/thread/replay/compare-files.ts";

type File = Payload<"workspace">["files"][number];

const texts = new Map<Hash, Payload<"text">>();
const file = (path: string, text: string | null, mode: File["mode"] = "100644"): File => {
  if (text === null) return { path, mode: null, content: null };
  const node = makeNode("text", { encoding: text === "\u0000" ? "base64" : "utf8", text });
  texts.set(node.hash, node.payload);
  return { path, mode, content: node.hash };
};
const captured = (files: File[], base = "a".repeat(40)): Payload<"workspace"> => ({
  repository: "/r",
  base,
  tree: "b".repeat(40),
  files,
});
const store = { load: async (_type: unknown, hash: Hash) => texts.get(hash) as never };
const compare = (was: File[], is: File[], base?: string) =>
  compareFiles(store, captured(was), captured(is, base));

describe("compareFiles", () => {
  it.each([
    ["other contents", [file("a", "x\n")], [file("a", "y\n")], "a: has other contents.", ["- x", "+ y"]],
    ["new", [], [file("a", "x\n")], "a: is changed or new, and was not.", []],
    ["not new", [file("a", "x\n")], [], "a: was changed or new, and is not.", []],
    ["removed", [file("a", "x\n")], [file("a", null)], "a: is removed, and was not.", []],
    ["removed from the commit", [], [file("a", null)], "a: is removed, and was not.", []],
    ["not removed", [file("a", null)], [file("a", "x\n")], "a: was removed, and is not.", []],
    ["mode", [file("a", "x\n")], [file("a", "x\n", "100755")], "a: has the mode 100755, and had 100644.", []],
    ["bytes", [file("a", "\u0000")], [file("a", "x\n")], "a: has other contents.", []],
  ])("tells a path: %s", async (_what, was, is, what, diff) => {
    expect(await compare(was, is)).toEqual([{ kind: "file", what, diff }]);
  });

  it("tells nothing of what is the same, and every path once", async () => {
    const same = file("same", "s");

    const told = await compare(
      [same, file("b", "1"), file("z", "1")],
      [file("z", "2"), same, file("a", "1")],
    );

    expect(told.map(({ what }) => what.split(":")[0])).toEqual(["a", "b", "z"]);
  });

  it("tells that the commit is another one", async () => {
    const what = "The files lie on the commit cccccccccccc, and lay on aaaaaaaaaaaa.";

    expect(await compare([], [], "c".repeat(40))).toEqual([{ kind: "base", what, diff: [] }]);
  });
});
