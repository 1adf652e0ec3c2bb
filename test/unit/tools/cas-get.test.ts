import { describe, expect, it } from "vitest";
import { makeNode, type Node } from "../../../src/store/node.ts";
import { casGet } from "../../../src/tools/cas-get.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

const text = (value: string, encoding: "utf8" | "base64" = "utf8"): Node<"text"> =>
  makeNode("text", { encoding, text: value });

const readerOf = async (...nodes: Node[]) => {
  const bench = await toolBench();
  bench.context.nodes = { find: async (prefix) => nodes.filter(({ hash }) => hash.startsWith(prefix)) };
  return (args: unknown) => bench.use(casGet, args);
};

describe("cas_get", () => {
  it("shows a text, and other nodes as JSON", async () => {
    const [note, output] = [text("One\nTwo"), makeNode("output", { value: { status: "done" } })];
    const read = await readerOf(note, output);

    expect(await read({ hash: note.hash })).toEqual({ ok: true, text: `text ${note.hash}\nOne\nTwo` });
    expect(await read({ hash: output.hash })).toEqual({
      ok: true,
      text: `output ${output.hash}\n{\n  "status": "done"\n}`,
    });
  });

  it("takes the first characters of a hash, as people type them", async () => {
    const note = text("One");
    const read = await readerOf(note);

    expect(await read({ hash: ` ${note.hash.slice(0, 13).toLowerCase()} ` })).toMatchObject({ ok: true });
  });

  it("shows a long text in parts that make the whole", async () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `line ${index} 🙂`).join("\n");
    const note = text(long);
    const read = await readerOf(note);
    let whole = "";

    for (let offset: number | null = 0; offset !== null; ) {
      const answer = await read({ hash: note.hash, offset });
      const next: RegExpExecArray | null =
        /\n\[characters \d+ to \d+ of \d+; go on with offset (\d+)\]$/.exec(answer.text);
      whole += answer.text.slice(answer.text.indexOf("\n") + 1, next?.index);
      expect(answer.text.length).toBeLessThan(31_000);
      offset = next === null ? null : Number(next[1]);
    }

    expect(whole).toBe(long);
  });

  it("says that bytes are no text", async () => {
    const bytes = text("AAEC", "base64");
    const read = await readerOf(bytes);

    expect(await read({ hash: bytes.hash })).toEqual({
      ok: true,
      text: `text ${bytes.hash} holds bytes that are no text.`,
    });
  });

  it.each([
    ["an unknown hash", { hash: text("gone").hash }, "this thread has no node"],
    ["what is no hash", { hash: "../../etc/passwd" }, "is no hash"],
    ["too few characters", { hash: "ABC" }, "8 or more characters"],
    ["an offset past the end", { hash: text("One").hash, offset: 99 }, "the node has 3 characters"],
    ["no hash", {}, "the arguments do not fit"],
  ])("answers %s with what is wrong", async (_, args, problem) => {
    const read = await readerOf(text("One"));

    expect(await read(args)).toEqual({ ok: false, text: expect.stringContaining(problem) });
  });

  it("says that a prefix is not enough", async () => {
    const [one, other] = [text("One"), text("Two")];
    const bench = await toolBench();
    bench.context.nodes = { find: async () => [one, other] };

    expect(await bench.use(casGet, { hash: one.hash.slice(0, 8) })).toMatchObject({
      ok: false,
      text: expect.stringContaining("several"),
    });
  });

  it("finds nothing where a role has no thread", async () => {
    const bench = await toolBench();

    expect(await bench.use(casGet, { hash: text("One").hash })).toMatchObject({ ok: false });
  });
});
