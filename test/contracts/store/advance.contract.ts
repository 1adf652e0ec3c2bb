import { expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { threadLease } from "../../../src/store/store.ts";
import { fixtureTime, messageFixture, stepFixture } from "../../fixtures/nodes.ts";
import { created, type Rig, text } from "./rig.ts";

export const advanceContract = (rig: () => Rig): void => {
  it("moves the head and stores the nodes, and answers the new record", async () => {
    const { fixture, record } = await created(rig().store);
    const { step, nodes } = stepFixture(fixture, null);
    rig().clock.now += 5;

    const moved = await rig().store.advance(
      record.id,
      { head: record.head, tip: null, status: "queued" },
      { head: step.hash, status: "running", begun: ["call-1"], note: "hello", grantedAt: fixtureTime + 1 },
      nodes,
    );

    expect(moved).toEqual({
      ...record,
      head: step.hash,
      status: "running",
      begun: ["call-1"],
      note: "hello",
      grantedAt: fixtureTime + 1,
      updatedAt: fixtureTime + 5,
    });
    expect(await rig().store.thread(record.id)).toEqual(moved);
    expect(await rig().store.get(step.hash)).toEqual(step);
  });

  it("sets and clears the tip, the reason and the note", async () => {
    const { record } = await created(rig().store);
    const turn = messageFixture(null, "first");

    const set = await rig().store.advance(record.id, {}, { tip: turn.hash, reason: "r", note: "n" }, [turn]);
    const cleared = await rig().store.advance(
      record.id,
      { tip: turn.hash },
      { tip: null, reason: null, note: null },
    );

    expect(set).toMatchObject({ tip: turn.hash, reason: "r", note: "n" });
    expect(cleared).toMatchObject({ tip: null, reason: null, note: null });
    expect(await rig().store.thread(record.id)).toEqual(cleared);
  });

  it("writes nothing when any expectation fails", async () => {
    const { fixture, record } = await created(rig().store);
    const { step, nodes } = stepFixture(fixture, null);
    const turn = messageFixture(null, "a turn");
    await rig().store.put([turn]);
    const expectations = [
      { head: step.hash },
      { tip: turn.hash },
      { status: "running" },
      { holder: "me" },
    ] as const;

    const answers = [];
    for (const expected of expectations)
      answers.push(await rig().store.advance(record.id, expected, { status: "failed" }, nodes));

    expect(answers).toEqual(expectations.map(() => undefined));
    expect(await rig().store.thread(record.id)).toEqual(record);
    expect(await rig().store.get(step.hash)).toBeUndefined();
  });

  it("answers undefined for a thread that is gone", async () => {
    const note = text("never written");

    expect(await rig().store.advance(newThreadId(), {}, { status: "running" }, [note])).toBeUndefined();
    expect(await rig().store.get(note.hash)).toBeUndefined();
  });

  it("writes nothing when a node's ref or the new head is missing", async () => {
    const { fixture, record } = await created(rig().store);
    const { step } = stepFixture(fixture, null);

    const [withoutOutput, withoutNodes] = await Promise.allSettled([
      rig().store.advance(record.id, {}, { head: step.hash }, [step]),
      rig().store.advance(record.id, {}, { head: step.hash }),
    ]);

    expect(withoutOutput).toMatchObject({ reason: { code: "node-missing" } });
    expect(withoutNodes).toMatchObject({ reason: { code: "node-missing" } });
    expect(await rig().store.thread(record.id)).toEqual(record);
  });

  it("lets only the holder of the lease move it, and only while the lease lasts", async () => {
    const { record } = await created(rig().store);
    await rig().store.lease(threadLease(record.id), "me", 1_000);
    const move = (holder: string) => rig().store.advance(record.id, { holder }, { status: "running" });

    expect(await move("another")).toBeUndefined();
    expect(await move("me")).toMatchObject({ status: "running" });
    rig().clock.now += 1_000;
    expect(await move("me")).toBeUndefined();
  });

  it("lets one of two connections win each step", async () => {
    const { fixture, record } = await created(rig().store);
    const stores = [rig().store, await rig().another()];
    const rivals = stores.map((_, n) => stepFixture(fixture, null, { rival: n }));

    const answers = await Promise.all(
      rivals.map(({ step, nodes }, n) =>
        (stores[n] ?? rig().store).advance(record.id, { head: record.head }, { head: step.hash }, nodes),
      ),
    );

    const winners = answers.filter((answer) => answer !== undefined);
    expect(winners).toHaveLength(1);
    expect(await rig().store.thread(record.id)).toEqual(winners[0]);
    await stores[1]?.close();
  });
};
