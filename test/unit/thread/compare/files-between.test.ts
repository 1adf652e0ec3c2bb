import { describe, expect, it } from "vitest";
import type { Hash } from "../../../../src/base/ids.ts";
import { makeNode } from "../../../../src/store/node.ts";
import type { Payload } from "../../../../src/store/payload.ts";
import { type BaseFile, filesBetween } from "../../../../src/thread/compare/files-between.ts";

type File = Payload<"workspace">["files"][number];

const texts = new Map<Hash, Payload<"text">>();
const file = (path: string, text: string | null, mode: File["mode"] = "100644"): File => {
  if (text === null) return { path, mode: null, content: null };
  const node = makeNode("text", { encoding: "utf8", text });
  texts.set(node.hash, node.payload);
  return { path, mode, content: node.hash };
};
const store = { load: async (_type: unknown, hash: Hash) => texts.get(hash) as never };
const committed: BaseFile = async (_place, path) => (path === "old" ? Buffer.from("1\n2\n") : undefined);
const between = (a: File[], b: File[], baseFile = committed) =>
  filesBetween(
    { store, baseFile },
    ...([a, b].map((files) => ({ repository: "/r", base: "a".repeat(40), tree: "", files })) as [
      Payload<"workspace">,
      Payload<"workspace">,
    ]),
  );

describe("filesBetween", () => {
  it.each([
    ["M", [file("x", "1\n2\n")], [file("x", "1\n3\n4\n")], { added: 2, removed: 1 }],
    ["A", [], [file("x", "1\n")], { added: 1, removed: 0 }],
    ["D", [file("x", "1\n")], [], { added: 0, removed: 1 }],
    ["D", [], [file("old", null)], { added: 0, removed: 2 }],
    ["M", [], [file("old", "1\n")], { added: 0, removed: 1 }],
    ["A", [file("old", null)], [], { added: 2, removed: 0 }],
    ["M", [file("x", "1\n")], [file("x", "1\n", "100755")], { added: 0, removed: 0 }],
    ["M", [file("x", "\u0000")], [file("x", "1\n")], { added: null, removed: null }],
  ])("says %s", async (status, a, b, counts) => {
    expect(await between(a, b)).toMatchObject([{ status, ...counts }]);
  });

  it("is silent about what is the same, also as the commit has it", async () => {
    expect(await between([file("x", "1\n")], [file("x", "1\n")])).toEqual([]);
    expect(await between([], [file("old", "1\n2\n")])).toEqual([]);
    expect(await between([file("gone", null)], [])).toEqual([]);
  });

  it("counts no lines where the commit is not here", async () => {
    expect(await between([], [file("old", "1\n")], async () => null)).toEqual([
      { path: "old", status: "M", added: null, removed: null },
    ]);
  });
});
