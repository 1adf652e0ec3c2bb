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

  it("keeps a delivery once", async () => {
    const { store } = rig();

    expect(await store.addDelivery(delivery("a", 1))).toBe(true);
    expect(await store.addDelivery({ ...delivery("a", 2), body: "{}" })).toBe(false);
    expect(await store.delivery("a")).toEqual(delivery("a", 1));
    expect(await store.delivery("b")).toBeUndefined();
  });

  it("lists what is not yet handled, oldest first", async () => {
    const { store } = rig();
    for (const [id, at] of [
      ["c", 3],
      ["a", 1],
      ["b", 2],
      ["d", 4],
    ] as const)
      await store.addDelivery(delivery(id, at));

    await store.finishDelivery("b");
    await store.finishDelivery("b");
    await store.finishDelivery("unknown");

    expect((await store.pendingDeliveries(2)).map(({ id }) => id)).toEqual(["a", "c"]);
    expect((await store.pendingDeliveries(9)).map(({ id }) => id)).toEqual(["a", "c", "d"]);
    expect(await store.addDelivery(delivery("b", 9))).toBe(false);
  });
};
