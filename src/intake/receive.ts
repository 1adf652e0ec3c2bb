import { messageOf } from "../base/errors.ts";
import { gathered } from "../base/gathered.ts";
import type { Log } from "../base/log.ts";
import type { ForgeEvent, ForgeKind } from "../forge/events.ts";
import { installationOfEvent } from "../forge/keys.ts";
import type { Queue } from "../queue/queue.ts";
import type { Delivery, Store } from "../store/store.ts";
import { fullLines } from "./full-lines.ts";
import { mayBeWanted } from "./wanted.ts";

type ReceiveParts = {
  store: Pick<Store, "addDeliveries" | "pendingOf">;
  queue: Pick<Queue, "enqueue">;
  forge: ForgeKind;
  /** The event in a verified delivery; null for those that lead to nothing. Throws `webhook-malformed` (fix-input). */
  read(delivery: { id: string; event: string; body: string }): ForgeEvent | null;
  /** Whether an event that asks for nothing by itself is part of a conversation. Absent: none is. */
  isSaid?(event: ForgeEvent): Promise<boolean>;
  now: () => number;
  log: Log;
};

type Kept = Delivery & { installation?: string; finishedAt?: number };

/** In one transaction: a flood costs few writes, and none of them holds the database for long. */
const MOST_AT_ONCE = 200;
const MOST_CHARS_AT_ONCE = 16 * 1024 * 1024;
/** A database makes several commits safe in one go. */
const WRITES_AT_ONCE = 4;
/** Calls of workers that are not answered yet. Beyond, a worker finds the delivery in the store. */
const MOST_CALLS = 1_000;

/**
 * Keeps a verified delivery and wakes a worker. The same delivery again changes nothing. Once it is kept it is not lost:
 * that no worker could be called is no failure. Of an event only what the bot reads of it is kept; of one that leads to nothing,
 * only that it came: most are of that kind, and what people wrote in them is nobody's business here. Throws `deliveries-full`
 * (retry) when the installation has so many waiting that no more are kept, and what the store throws.
 */
export const receiver = (parts: ReceiveParts) => {
  const { store, queue, forge, now, log } = parts;
  const keep = gathered((deliveries: readonly Kept[]) => store.addDeliveries(deliveries), {
    most: MOST_AT_ONCE,
    mostSize: MOST_CHARS_AT_ONCE,
    sizeOf: ({ body }) => body.length,
    atOnce: WRITES_AT_ONCE,
  });
  const takePlace = fullLines({ store, now });
  let calls = 0;
  const callWorker = (id: string): void => {
    if (calls >= MOST_CALLS) return;
    calls++;
    queue
      .enqueue({ kind: "delivery", id })
      .catch((error: unknown) =>
        log.warn({ delivery: id, error: messageOf(error) }, "cannot call a worker for the delivery"),
      )
      .finally(() => calls--);
  };
  return async (delivery: { id: string; event: string; body: string }): Promise<void> => {
    const id = `${forge}-${delivery.id}`;
    const receivedAt = now();
    const event = await wantedEvent(parts, delivery);
    const installation = event === null ? "" : installationOfEvent(event);
    if (event !== null) await takePlace(installation);
    const isNew = await keep({
      ...(event === null
        ? { body: "", finishedAt: receivedAt }
        : { body: JSON.stringify(event), installation }),
      id,
      event: delivery.event,
      forge,
      receivedAt,
    });
    log.info({ delivery: id, event: delivery.event, isNew, isWanted: event !== null }, "delivery stored");
    if (isNew && event !== null) callWorker(id);
  };
};

const wantedEvent = async (
  { isSaid, ...parts }: ReceiveParts,
  delivery: Parameters<ReceiveParts["read"]>[0],
): Promise<ForgeEvent | null> => {
  const event = readEvent(parts, delivery);
  if (event === null || mayBeWanted(event)) return event;
  return isSaid !== undefined && (await isSaid(event)) ? event : null;
};

const readEvent = (
  { read, forge, log }: ReceiveParts,
  delivery: Parameters<ReceiveParts["read"]>[0],
): ForgeEvent | null => {
  try {
    return read(delivery);
  } catch (error) {
    // Delivered again it would be the same: the sender is told that it is kept.
    log.warn({ delivery: `${forge}-${delivery.id}`, error: messageOf(error) }, "a delivery cannot be read");
    return null;
  }
};
