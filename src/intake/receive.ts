import type { Queue } from "../queue/queue.ts";
import type { Store } from "../store/store.ts";

type ReceiveParts = { store: Store; queue: Queue; forge: string; now: () => number };

/** Keeps a verified delivery and wakes a worker. The same delivery again changes nothing. */
export const receiver =
  ({ store, queue, forge, now }: ReceiveParts) =>
  async (delivery: { id: string; event: string; body: string }): Promise<void> => {
    const id = `${forge}-${delivery.id}`;
    const [isNew] = await store.addDeliveries([{ ...delivery, id, forge, receivedAt: now() }]);
    if (isNew === true) await queue.enqueue({ kind: "delivery", id });
  };
