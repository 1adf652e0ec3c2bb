import { expect, it } from "vitest";
import { makeNode } from "../../../src/store/node.ts";
import { threadFixture } from "../../fixtures/nodes.ts";
import { all, type Rig, text } from "./rig.ts";

export const nodesContract = (rig: () => Rig): void => {
  it("gives back what was put, refs in their order", async () => {
    const { nodes, workflow, start } = threadFixture();

    await rig().store.put(nodes);

    expect(await rig().store.get(start.hash)).toEqual(start);
    expect(await rig().store.get(workflow.hash)).toEqual(workflow);
  });

  it("knows nothing of a hash that was never put", async () => {
    expect(await rig().store.get(text("never put").hash)).toBeUndefined();
  });

  it.each([10, 5_000, 2_000_000])("keeps a text of %i characters", async (length) => {
    const node = text("naïve ✓ 𝒳 ".repeat(length / 10));

    await rig().store.put([node]);

    expect(await rig().store.load("text", node.hash)).toEqual(node.payload);
  });

  it("keeps text that compresses badly and text of one repeated character", async () => {
    const noise = Array.from({ length: 3_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    const nodes = [text(noise.join("")), text("a".repeat(100_000))];

    await rig().store.put(nodes);

    expect(await Promise.all(nodes.map(({ hash }) => rig().store.get(hash)))).toEqual(nodes);
  });

  it("takes nodes in any order, and the same one twice", async () => {
    const { nodes, start } = threadFixture();

    await rig().store.put([...nodes, ...nodes].reverse());
    await rig().store.put(nodes);

    expect(await all(rig().store.walk(start.hash))).toHaveLength(nodes.length);
  });

  it("refuses a node whose ref leads nowhere, and the others with it", async () => {
    const fixture = threadFixture();
    const bystander = text("bystander");

    const putting = rig().store.put([bystander, fixture.start]);

    await expect(putting).rejects.toMatchObject({ code: "node-missing", remedy: "fix-input" });
    expect(await rig().store.get(bystander.hash)).toBeUndefined();
  });

  it("refuses a node that was changed after it was made", async () => {
    const node = text("as made");
    node.payload.text = "changed";

    await expect(rig().store.put([node])).rejects.toMatchObject({ remedy: "bug" });
  });

  it("refuses one that was changed deep inside, or is a changed copy", async () => {
    const value = { list: [{ text: "as made" }] };
    const changed = makeNode("output", { value });
    const [item] = (changed.payload.value as typeof value).list;
    if (item !== undefined) item.text = "changed";
    const copy = { ...makeNode("output", { value }), payload: { value: "another" } };

    await expect(rig().store.put([changed])).rejects.toMatchObject({ remedy: "bug" });
    await expect(rig().store.put([copy])).rejects.toMatchObject({ remedy: "bug" });
  });

  it("loads by type, and names the hash when the type is another or the node is missing", async () => {
    const node = text("content");
    const missing = text("missing");
    await rig().store.put([node]);

    const [wrong, absent] = await Promise.allSettled([
      rig().store.load("output", node.hash),
      rig().store.load("text", missing.hash),
    ]);

    const naming = (hash: string) => expect.stringContaining(hash.slice(0, 13));
    expect(wrong).toMatchObject({ reason: { code: "node-type", message: naming(node.hash) } });
    expect(absent).toMatchObject({ reason: { code: "node-missing", message: naming(missing.hash) } });
  });

  it("loads several in the order asked, repeated ones too", async () => {
    const [a, b] = [text("a"), text("b")];
    await rig().store.put([a, b]);

    const payloads = await rig().store.loadAll("text", [b.hash, a.hash, b.hash]);

    expect(payloads.map((payload) => payload.text)).toEqual(["b", "a", "b"]);
    expect(await rig().store.loadAll("text", [])).toEqual([]);
    await expect(rig().store.loadAll("text", [a.hash, text("c").hash])).rejects.toMatchObject({
      code: "node-missing",
    });
  });

  it("finds hashes by a prefix in any case, with look-alike letters", async () => {
    const node = text("to be found");
    await rig().store.put([node, text("another")]);
    const typed = node.hash.slice(0, 8).toLowerCase().replaceAll("1", "l").replaceAll("0", "o");

    expect(await rig().store.findHashes(typed, 10)).toEqual([node.hash]);
    expect(await rig().store.findHashes(node.hash, 10)).toEqual([node.hash]);
    expect(await rig().store.findHashes("UUUUUUUU", 10)).toEqual([]);
    expect(await rig().store.findHashes("%_%_%_%_", 10)).toEqual([]);
    await expect(rig().store.findHashes(node.hash.slice(0, 7), 10)).rejects.toMatchObject({
      code: "prefix-too-short",
    });
  });
};
