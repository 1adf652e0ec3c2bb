import type { LinkKind, Store } from "../store.ts";
import { inBatches } from "./batches.ts";
import { type Inventory, linkKey, reservationKey, stateOf } from "./inventory.ts";

/** What was used is used, however much it is. */
const withoutLimit = (account: string) => ({ account, limitUsd: Number.POSITIVE_INFINITY });

/** Bodies may be large. */
const DELIVERIES_AT_ONCE = 20;

/** Copies what points to nodes, or to none; what the target has already is left alone. Threads come last. */
export const copyRecords = async (
  { from, to }: { from: Store; to: Store },
  there: Inventory,
): Promise<void> => {
  for (const { name, hash } of await from.workflows())
    if (!there.workflow.has(name)) await to.registerWorkflow(name, hash);
  for await (const deliveries of inBatches(from.allDeliveries(), { count: DELIVERIES_AT_ONCE }))
    await to.addDeliveries(deliveries.filter(({ id }) => !there.delivery.has(id)));
  for await (const { thread, period, usd, accounts } of from.allReservations())
    if (!there.reservation.has(reservationKey({ thread, period })))
      await to.reserve(thread, { period, usd, accounts: accounts.map(withoutLimit) });
  // Sessions refer to designs.
  for await (const design of from.allDesigns()) if (!there.design.has(design.id)) await to.saveDesign(design);
  for await (const session of from.allSessions()) {
    if (!there.session.has(session.id)) await to.createSession(session);
    const state = there.conversation.has(session.id) ? null : await stateOf(from, session);
    if (state !== null) await to.saveAgentState(state);
  }
  for await (const thread of from.allThreads()) {
    if (!there.thread.has(thread.id)) await to.createThread(thread, []);
    const links = Object.entries(await from.links(thread.id)) as [LinkKind, string][];
    for (const [kind, value] of links)
      if (!there.link.has(linkKey(thread.id, kind))) await to.setLink(thread.id, kind, value);
  }
};
