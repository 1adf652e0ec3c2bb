import { expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Payload } from "../../../src/store/payload.ts";
import { fixtureTime, messageFixture, stepFixture, type ThreadFixture } from "../../fixtures/nodes.ts";
import { created, type Rig, text } from "./rig.ts";

/** The start of a thread that goes on from a step of another. */
const followingFixture = (
  { start }: ThreadFixture,
  follows: Hash,
  more: Partial<Payload<"thread-start">> = {},
): Node<"thread-start"> => makeNode("thread-start", { ...start.payload, ...more, follows });

export const chainsContract = (rig: () => Rig): void => {
  it("gives a new thread's history: its start alone", async () => {
    const { fixture } = await created(rig().store);

    const history = await rig().store.history(fixture.start.hash);

    expect(history).toEqual({ start: fixture.start.payload, steps: [], shared: 0, end: null });
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

  it("goes on from a step of another thread, whose steps come first", async () => {
    const { fixture } = await created(rig().store);
    const shared = stepFixture(fixture, null, { n: 1 });
    const left = stepFixture(fixture, shared.step.hash, { side: "left" });
    const fork = followingFixture(fixture, shared.step.hash);
    const right = stepFixture({ ...fixture, start: fork }, null, { side: "right" });
    await rig().store.put([...shared.nodes, ...left.nodes, fork, ...right.nodes]);

    const [begun, history, other] = await Promise.all(
      [fork, right.step, left.step].map(({ hash }) => rig().store.history(hash)),
    );

    expect(begun).toMatchObject({ start: fork.payload, shared: 1, end: null });
    expect(begun?.steps.map(({ hash }) => hash)).toEqual([shared.step.hash]);
    expect(history).toMatchObject({ start: fork.payload, shared: 1, end: null });
    expect(history?.steps.map(({ output }) => output)).toEqual([{ n: 1 }, { side: "right" }]);
    expect(other).toMatchObject({ start: fixture.start.payload, shared: 0 });
    expect(other?.steps.map(({ output }) => output)).toEqual([{ n: 1 }, { side: "left" }]);
  });

  it("gives the newest start of a fork of a fork, and the end that it came to without a step of its own", async () => {
    const { fixture } = await created(rig().store);
    const first = stepFixture(fixture, null, { n: 1 });
    const fork = followingFixture(fixture, first.step.hash);
    const second = stepFixture({ ...fixture, start: fork }, null, { n: 2 });
    const again = followingFixture(fixture, second.step.hash, { depth: 1 });
    const end = makeNode("thread-end", {
      ...{ start: again.hash, prev: null, status: "completed", reason: null },
      ...{ turns: null, workspace: null, at: fixtureTime },
    });
    await rig().store.put([...first.nodes, fork, ...second.nodes, again, end]);

    const history = await rig().store.history(end.hash);

    expect(history).toMatchObject({ start: again.payload, shared: 2, end: end.payload });
    expect(history.steps.map(({ hash }) => hash)).toEqual([first.step.hash, second.step.hash]);
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
