import { expect, it } from "vitest";
import { makeNode, type Node } from "../../../src/store/node.ts";
import { fixtureTime, messageFixture, stepFixture } from "../../fixtures/nodes.ts";
import { created, type Rig, text } from "./rig.ts";

export const chainsContract = (rig: () => Rig): void => {
  it("gives a new thread's history: its start alone", async () => {
    const { fixture } = await created(rig().store);

    const history = await rig().store.history(fixture.start.hash);

    expect(history).toEqual({ start: fixture.start.payload, steps: [], end: null });
  });

  it("gives steps oldest first, with their outputs", async () => {
    const { fixture } = await created(rig().store);
    const first = stepFixture(fixture, null, { n: 1 });
    const second = stepFixture(fixture, first.step.hash, { n: 2, text: "x".repeat(10_000) });
    await rig().store.put([...first.nodes, ...second.nodes]);

    const history = await rig().store.history(second.step.hash);

    expect(history.start).toEqual(fixture.start.payload);
    expect(history.steps).toEqual(
      [first, second].map(({ step, output }) => ({
        hash: step.hash,
        step: step.payload,
        output: output.payload.value,
      })),
    );
  });

  it.each(["after a step", "without a step"])("gives the end %s", async (when) => {
    const { fixture } = await created(rig().store);
    const step = stepFixture(fixture, null);
    const end = makeNode("thread-end", {
      start: fixture.start.hash,
      prev: when === "after a step" ? step.step.hash : null,
      status: "failed",
      reason: "the model gave up",
      turns: null,
      workspace: null,
      at: fixtureTime,
    });
    await rig().store.put([...step.nodes, end]);

    const history = await rig().store.history(end.hash);

    expect(history.end).toEqual(end.payload);
    expect(history.steps).toHaveLength(when === "after a step" ? 1 : 0);
    expect(history.start).toEqual(fixture.start.payload);
  });

  it("shares a prefix between two threads that were forked", async () => {
    const { fixture } = await created(rig().store);
    const shared = stepFixture(fixture, null, { n: 1 });
    const left = stepFixture(fixture, shared.step.hash, { side: "left" });
    const right = stepFixture(fixture, shared.step.hash, { side: "right" });
    await rig().store.put([...shared.nodes, ...left.nodes, ...right.nodes]);

    const history = await rig().store.history(right.step.hash);

    expect(history.steps.map((step) => step.output)).toEqual([{ n: 1 }, { side: "right" }]);
  });

  it("refuses a history of what is no thread, or is missing", async () => {
    const { fixture } = await created(rig().store);

    await expect(rig().store.history(fixture.role.hash)).rejects.toMatchObject({ code: "node-type" });
    await expect(rig().store.history(text("none").hash)).rejects.toMatchObject({ code: "node-missing" });
  });

  it("gives turns oldest first", async () => {
    const turns: Node<"turn">[] = [];
    for (const words of ["one", "two", "three"])
      turns.push(messageFixture(turns.at(-1)?.hash ?? null, words));
    const [first, , last] = turns;
    await rig().store.put(turns);

    expect(await rig().store.turns(last?.hash ?? text("").hash)).toEqual(turns.map((turn) => turn.payload));
    expect(await rig().store.turns(first?.hash ?? text("").hash)).toHaveLength(1);
  });

  it("refuses turns of what is no turn, or is missing", async () => {
    const { fixture } = await created(rig().store);

    await expect(rig().store.turns(fixture.start.hash)).rejects.toMatchObject({ code: "node-type" });
    await expect(rig().store.turns(text("none").hash)).rejects.toMatchObject({ code: "node-missing" });
  });

  it("reads a chain of 2,000 turns", async () => {
    const turns: Node<"turn">[] = [];
    for (let n = 0; n < 2_000; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `turn ${n}`));
    await rig().store.put(turns);

    const read = await rig().store.turns(turns.at(-1)?.hash ?? text("").hash);

    expect(read).toEqual(turns.map((turn) => turn.payload));
  });
};
