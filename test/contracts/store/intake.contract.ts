import { expect, it } from "vitest";
import { threadFixture } from "../../fixtures/nodes.ts";
import { type Rig, text } from "./rig.ts";

export const registryContract = (rig: () => Rig): void => {
  it("names workflows, and moves a name", async () => {
    const { store } = rig();
    const { nodes, workflow, role } = threadFixture();
    await store.put(nodes);

    expect(await store.workflowHash("solve")).toBeUndefined();
    await store.registerWorkflow("solve", workflow.hash);
    await store.registerWorkflow("a", workflow.hash);
    expect(await store.workflows()).toEqual([
      { name: "a", hash: workflow.hash },
      { name: "solve", hash: workflow.hash },
    ]);
    await store.registerWorkflow("solve", role.hash);
    expect(await store.workflowHash("solve")).toBe(role.hash);
  });

  it("names nothing that is missing", async () => {
    const registering = rig().store.registerWorkflow("solve", text("missing").hash);

    await expect(registering).rejects.toMatchObject({ code: "node-missing" });
  });
};

export const deliveriesContract = (rig: () => Rig): void => {
  const delivery = (id: string, receivedAt: number) => ({
    id,
    forge: "github",
    event: "issues",
    body: `{"id":"${id}"}`,
    receivedAt,
  });

  const pending = async (limit: number) => (await rig().store.pendingDeliveries(limit)).map(({ id }) => id);

  it("keeps a delivery once", async () => {
    const { store } = rig();

    expect(await store.addDeliveries([delivery("a", 1)])).toEqual([true]);
    expect(await store.addDeliveries([{ ...delivery("a", 2), body: "{}" }])).toEqual([false]);
    expect(await store.delivery("a")).toEqual({ ...delivery("a", 1), finishedAt: null });
    expect(await store.delivery("b")).toBeUndefined();
  });

  it("keeps many at once, and says of each whether it is new", async () => {
    const { store } = rig();
    await store.addDeliveries([delivery("b", 1)]);

    const kept = await store.addDeliveries([
      delivery("a", 2),
      delivery("b", 2),
      delivery("c", 2),
      { ...delivery("a", 3), body: "{}" },
    ]);

    expect(kept).toEqual([true, false, true, false]);
    expect(await store.delivery("a")).toEqual({ ...delivery("a", 2), finishedAt: null });
    expect(await store.addDeliveries([])).toEqual([]);
  });

  it("keeps the same deliveries once, when calls at once hold them in different orders", async () => {
    const { store } = rig();
    const some = Array.from({ length: 100 }, (_, index) => delivery(`d${index}`, index));

    const answers = await Promise.all(
      [some, some.toReversed(), some.slice(50), some.slice(0, 50).toReversed()].map((batch) =>
        store.addDeliveries(batch),
      ),
    );

    expect(answers.flat().filter(Boolean)).toHaveLength(100);
    expect(await store.pendingDeliveries(200)).toHaveLength(100);
  });

  it("keeps bodies as they are, of whatever size", async () => {
    const { store } = rig();
    const body = `{"text":"${"é\u2028'\\\\$1 %s ".repeat(100_000)}"}`;

    await store.addDeliveries([{ ...delivery("a", 1), body }]);

    expect((await store.delivery("a"))?.body === body).toBe(true);
  });

  it("forgets what was handled long ago, and leases that were over, and nothing else", async () => {
    const { store, clock } = rig();
    await store.addDeliveries(["old", "pending", "young"].map((id, place) => delivery(id, place)));
    await store.lease("left behind", "a", 100);
    await store.finishDelivery("old");
    clock.now += 10_000;
    await store.finishDelivery("young");
    await store.lease("held", "a", 100);

    await store.forget(5_000);
    await store.forget(5_000);

    const kept: string[] = [];
    for await (const { id } of store.allDeliveries()) kept.push(id);
    expect(kept).toEqual(["pending", "young"]);
    expect(await store.leaseHolder("held")).toBe("a");
    clock.now -= 10_000;
    expect(await store.leaseHolder("left behind")).toBeUndefined();
  });

  it("lists what is not yet handled, oldest first", async () => {
    const { store } = rig();
    await store.addDeliveries([delivery("c", 3), delivery("a", 1), delivery("b", 2), delivery("d", 4)]);

    await store.finishDelivery("b");
    await store.finishDelivery("b");
    await store.finishDelivery("unknown");

    expect(await pending(2)).toEqual(["a", "c"]);
    expect(await pending(9)).toEqual(["a", "c", "d"]);
    expect(await store.addDeliveries([delivery("b", 9)])).toEqual([false]);
  });

  it("lists installation by installation in turn, however many one of them has sent", async () => {
    const { store } = rig();
    const of = (installation: string, ids: readonly string[]) =>
      store.addDeliveries(ids.map((id, place) => ({ ...delivery(id, place + 1), installation })));
    await of("github/1", ["a1", "a2", "a3", "a4"]);
    await store.addDeliveries([delivery("none", 9)]);
    await of("github/2", ["b1", "b2"]);
    await store.finishDelivery("b1");

    expect(await store.pendingDeliveries(3)).toEqual([
      { id: "a1", installation: "github/1" },
      { id: "b2", installation: "github/2" },
      { id: "none", installation: "" },
    ]);
    expect(await pending(9)).toEqual(["a1", "b2", "none", "a2", "a3", "a4"]);
    const lengths = await Promise.all(["github/1", "github/2", "", "github/3"].map(store.pendingOf));
    expect(lengths).toEqual([4, 1, 1, 0]);
  });

  it("hears so much of a person within a while, and each delivery once", async () => {
    const { store, clock } = rig();
    const ids = ["a", "b", "c", "d", "e"];
    await store.addDeliveries(ids.map((id) => delivery(id, 1)));
    const hear = (id: string, person = "github/1 mona") =>
      store.hear(id, { person, most: 2, withinMs: 1_000 });

    expect([await hear("a"), await hear("a"), await hear("b"), await hear("c")]).toEqual([
      ...[true, true, true, false],
    ]);
    expect([await hear("d", "github/1 lena"), await hear("unknown")]).toEqual([true, false]);
    clock.now += 1_000;
    expect([await hear("a"), await hear("c"), await hear("e")]).toEqual([true, true, true]);
    expect(await hear("d")).toBe(false);
  });

  it("hears no more of a person when several processes ask at once", async () => {
    const { store } = rig();
    const ids = Array.from({ length: 40 }, (_, at) => `d${at}`);
    await store.addDeliveries(ids.map((id) => delivery(id, 1)));

    const heard = await Promise.all(
      ids.map((id) => store.hear(id, { person: "github/1 mona", most: 7, withinMs: 60_000 })),
    );

    expect(heard.filter(Boolean)).toHaveLength(7);
  });
};
