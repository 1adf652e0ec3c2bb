import { expect, it } from "vitest";
import type { Node } from "../../../src/store/node.ts";
import type { Damage } from "../../../src/store/store.ts";
import { messageFixture, stepFixture } from "../../fixtures/nodes.ts";
import { all, created, type Rig, text } from "./rig.ts";

export const graphContract = (rig: () => Rig): void => {
  it("walks everything reachable, the node itself first, each once", async () => {
    const { fixture } = await created(rig().store);
    const first = stepFixture(fixture, null, { n: 1 });
    const second = stepFixture(fixture, first.step.hash, { n: 2 });
    await rig().store.put([...first.nodes, ...second.nodes, text("unrelated")]);

    const walked = await all(rig().store.walk(second.step.hash));

    const expected = [...fixture.nodes, ...first.nodes, ...second.nodes];
    expect(walked[0]).toEqual(second.step);
    expect(walked.map((node) => node.hash).toSorted()).toEqual(expected.map((node) => node.hash).toSorted());
  });

  it("walks more than one batch, and stops when the reader does", async () => {
    const turns: Node<"turn">[] = [];
    for (let n = 0; n < 700; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `turn ${n}`));
    await rig().store.put(turns);
    const tip = turns.at(-1)?.hash ?? text("").hash;

    const walked = await all(rig().store.walk(tip));
    for await (const node of rig().store.walk(tip)) if (node.hash !== tip) break;

    expect(walked).toEqual(turns.toReversed());
  });

  it("refuses to walk from a hash that is missing", async () => {
    await expect(all(rig().store.walk(text("none").hash))).rejects.toMatchObject({ code: "node-missing" });
  });

  it("finds nothing damaged in what it wrote itself", async () => {
    const { fixture } = await created(rig().store);
    const step = stepFixture(fixture, null, { text: "y".repeat(20_000) });
    await rig().store.put([...step.nodes, ...Array.from({ length: 300 }, (_, n) => text(`text ${n}`))]);

    expect(await all<Damage>(rig().store.verify())).toEqual([]);
  });
};
