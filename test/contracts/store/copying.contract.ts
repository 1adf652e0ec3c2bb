import { expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import type { Node } from "../../../src/store/node.ts";
import {
  fixtureTime,
  messageFixture,
  stepFixture,
  threadFixture,
  threadRecord,
} from "../../fixtures/nodes.ts";
import { all, created, type Rig, text } from "./rig.ts";

export const copyingContract = (rig: () => Rig): void => {
  it("gives every node once, each after those that it refers to", async () => {
    const { store } = rig();
    const { fixture } = await created(store);
    const steps = stepFixture(fixture, null);
    const turns: Node[] = [messageFixture(null, "first")];
    for (let n = 0; n < 700; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `turn ${n}`));
    await store.put([...turns, ...steps.nodes, text("alone")].toReversed());
    await store.put(turns.slice(0, 10));

    const nodes = await all(store.allNodes());

    const expected = [...fixture.nodes, ...steps.nodes, ...turns, text("alone")];
    const places = new Map(nodes.map(({ hash }, place) => [hash, place]));
    expect(places.size).toBe(nodes.length);
    expect(new Map(nodes.map((node) => [node.hash, node]))).toEqual(
      new Map(expected.map((node) => [node.hash, node])),
    );
    for (const [place, { refs }] of nodes.entries())
      for (const ref of refs) expect(places.get(ref)).toBeLessThan(place);
  });

  it("gives every thread's record once", async () => {
    const { store } = rig();
    const fixture = threadFixture();
    const turn = messageFixture(null, "under way");
    await store.put([...fixture.nodes, turn]);
    const records = Array.from({ length: 1_100 }, (_, n) =>
      threadRecord(fixture, {
        tip: n % 3 === 0 ? turn.hash : null,
        status: n % 2 === 0 ? "queued" : "failed",
        dueAt: n,
        createdAt: fixtureTime + (n % 5),
      }),
    );
    for (const record of records) await store.createThread(record, []);

    const threads = await all(store.allThreads());

    expect(threads).toHaveLength(records.length);
    expect(new Map(threads.map((record) => [record.id, record]))).toEqual(
      new Map(records.map((record) => [record.id, record])),
    );
  });

  it("gives every delivery once, handled or not, and keeps one that was handled elsewhere", async () => {
    const { store, clock } = rig();
    const delivery = (n: number) => ({
      id: `delivery ${n}`,
      forge: "github",
      event: "issues",
      body: `{"n":${n}}`,
      installation: n % 2 === 0 ? "" : `github/${n}`,
      receivedAt: fixtureTime + (n % 10),
    });
    await store.addDeliveries(Array.from({ length: 50 }, (_, n) => delivery(n)));
    clock.now += 5;
    await store.finishDelivery("delivery 7");

    const kept = await store.addDeliveries([
      { ...delivery(50), finishedAt: 12_345 },
      { ...delivery(51), finishedAt: null },
      { ...delivery(8), finishedAt: 12_345 },
    ]);
    await store.finishDelivery("delivery 50");

    const finished = new Map([
      [7, fixtureTime + 5],
      [50, 12_345],
    ]);
    const found = await all(store.allDeliveries());
    expect(kept).toEqual([true, true, false]);
    expect(found).toHaveLength(52);
    expect(new Map(found.map((item) => [item.id, item]))).toEqual(
      new Map(
        Array.from({ length: 52 }, (_, n) => [
          `delivery ${n}`,
          { ...delivery(n), finishedAt: finished.get(n) ?? null },
        ]),
      ),
    );
    expect((await store.pendingDeliveries(100)).map(({ id }) => id)).not.toContain("delivery 50");
  });

  it("gives all links of a thread", async () => {
    const { store } = rig();
    const { record } = await created(store);

    expect(await store.links(record.id)).toEqual({});
    await store.setLink(record.id, "comment", "1");
    await store.setLink(record.id, "pull-request", "2");
    await store.setLink(record.id, "comment", "3");

    expect(await store.links(record.id)).toEqual({ comment: "3", "pull-request": "2" });
    expect(await store.links(newThreadId())).toEqual({});
  });

  it("gives nothing of an empty store", async () => {
    const { store } = rig();

    expect([
      await all(store.allNodes()),
      await all(store.allThreads()),
      await all(store.allDeliveries()),
    ]).toEqual([[], [], []]);
  });
};
