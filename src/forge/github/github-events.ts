import { isObject } from "../../base/json.ts";
import type { ForgeEvent } from "../events.ts";
import { actionAtStart, checkPayload, parsePayload, type WebhookDelivery } from "../webhook-payload.ts";
import { eventReaders, type Reader } from "./event-readers.ts";

/**
 * The event of a verified webhook delivery; null for those that the bot does not listen to, and for what its own App (`appId`)
 * says about checks. Throws `webhook-malformed` (fix-input) when a body is not what its headers say.
 */
export const parseGithubEvent = (
  delivery: WebhookDelivery,
  { appId }: Reader = { appId: null },
): ForgeEvent | null => {
  if (!mayBeRead(delivery)) return null;
  const payload = parsePayload(delivery);
  const action = isObject(payload) && typeof payload.action === "string" ? payload.action : "";
  const reader = eventReaders[`${delivery.event}.${action}`];
  return reader === undefined ? null : reader.read(checkPayload(reader.schema, payload, delivery), { appId });
};

/**
 * False when it is certain, without reading all of the body, that nobody listens to it: most of what an organisation sends
 * is of that kind. GitHub's bodies begin with the action; where one does not, nothing is certain.
 */
const mayBeRead = (delivery: WebhookDelivery): boolean => {
  const { event } = delivery;
  if (!listened.some((name) => name.startsWith(`${event}.`))) return false;
  const action = actionAtStart(delivery);
  return action === undefined || listened.includes(`${event}.${action}`);
};

const listened = Object.keys(eventReaders);
