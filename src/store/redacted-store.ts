import { isObject, type Json } from "../base/json.ts";
import type { Redact } from "../base/redact.ts";
import type { Store, ThreadChange, ThreadRecord } from "./store.ts";

/**
 * The store, to whose records, deliveries and conversations no text takes a secret of this process. Nodes are not looked at: their names are those of
 * their bytes, and what they are made of comes through ports that let none in.
 */
export const redactedStore = (store: Store, redact: Redact): Store => ({
  ...store,
  createThread: (record, nodes) => store.createThread({ ...record, ...clean(record, redact) }, nodes),
  advance: (id, expected, change, nodes) =>
    store.advance(id, expected, { ...change, ...clean(change, redact) }, nodes),
  addDeliveries: (deliveries) =>
    store.addDeliveries(deliveries.map((delivery) => ({ ...delivery, body: redact(delivery.body) }))),
  saveAgentState: (state) => store.saveAgentState(cleanJson(state, redact) as typeof state),
  saveDesign: (design) => store.saveDesign(cleanJson(design, redact) as typeof design),
});

const cleanJson = (value: Json, redact: Redact): Json => {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanJson(item, redact)]));
};

type Texts = Partial<Pick<ThreadRecord, "title" | "reason" | "note">>;

const clean = (of: Texts | (ThreadChange & Texts), redact: Redact): Texts => ({
  ...(of.title === undefined ? {} : { title: redact(of.title) }),
  ...(of.reason == null ? {} : { reason: redact(of.reason) }),
  ...(of.note == null ? {} : { note: redact(of.note) }),
});
