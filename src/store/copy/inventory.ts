import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { bugError } from "../../base/errors.ts";
import type { ThreadId } from "../../base/ids.ts";
import type { AgentStateRecord, SessionRecord } from "../sessions.ts";
import type { Reserved, Store } from "../store.ts";
import { inBatches, THREADS_AT_ONCE } from "./batches.ts";

export const itemKinds = [
  "workflow",
  "delivery",
  "thread",
  "link",
  "reservation",
  "session",
  "conversation",
  "design",
] as const;
export type ItemKind = (typeof itemKinds)[number];

/** What a store holds beside nodes: of each item its key, and a digest of all that it says. */
export type Inventory = Readonly<Record<ItemKind, ReadonlyMap<string, string>>>;

export const takeInventory = async (store: Store): Promise<Inventory> => {
  const inventory = {
    workflow: new Map<string, string>(),
    delivery: new Map<string, string>(),
    thread: new Map<string, string>(),
    link: new Map<string, string>(),
    reservation: new Map<string, string>(),
    session: new Map<string, string>(),
    conversation: new Map<string, string>(),
    design: new Map<string, string>(),
  };
  for (const { name, hash } of await store.workflows()) inventory.workflow.set(name, hash);
  for await (const delivery of store.allDeliveries()) inventory.delivery.set(delivery.id, digestOf(delivery));
  for await (const reserved of store.allReservations())
    inventory.reservation.set(reservationKey(reserved), digestOf(reserved));
  // Copying renews them: when something was last said or changed there is not compared.
  for await (const { createdAt: _, updatedAt: __, agentStage: ___, ...session } of store.allSessions()) {
    inventory.session.set(session.id, digestOf(session));
    const state = await stateOf(store, session);
    if (state !== null) inventory.conversation.set(session.id, digestOf(state));
  }
  for await (const { createdAt: _, updatedAt: __, ...design } of store.allDesigns())
    inventory.design.set(design.id, digestOf(design));
  for await (const threads of inBatches(store.allThreads(), { count: THREADS_AT_ONCE })) {
    const links = await Promise.all(threads.map(({ id }) => store.links(id)));
    for (const [place, thread] of threads.entries()) {
      // Nobody works in either store, so that an admission means nothing; it stays behind.
      inventory.thread.set(thread.id, digestOf({ ...thread, admitted: false }));
      for (const [kind, value] of Object.entries(links[place] ?? {}))
        inventory.link.set(linkKey(thread.id, kind), value);
    }
  }
  return inventory;
};

/** What was said in a session; a column that is damaged reads as null. */
export const stateOf = async (
  store: Store,
  { id, userId }: Pick<SessionRecord, "id" | "userId">,
): Promise<AgentStateRecord | null> => {
  const found = await store.agentState(id, userId);
  if (found === undefined) return null;
  const columns = Object.entries(found).map(([column, value]) => [column, value ?? null]);
  return Object.fromEntries(columns) as AgentStateRecord;
};

export const reservationKey = ({ thread, period }: Pick<Reserved, "thread" | "period">): string =>
  `of thread ${thread} in ${period}`;

export const linkKey = (thread: ThreadId, kind: string): string => `${kind} of thread ${thread}`;

const digestOf = (value: object): string => {
  const json = canonicalize(value);
  if (json === undefined) throw bugError("a record is not JSON");
  return createHash("sha256").update(json).digest("base64");
};

export type Difference = { kind: ItemKind; key: string; what: "missing" | "other" };

/** The first item of `some` that `whole` has not, or that says something else there. */
export const firstDifference = (some: Inventory, whole: Inventory): Difference | undefined => {
  for (const kind of itemKinds)
    for (const [key, digest] of some[kind]) {
      const there = whole[kind].get(key);
      if (there !== digest) return { kind, key, what: there === undefined ? "missing" : "other" };
    }
  return undefined;
};
