import type { z } from "zod";
import { inputError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import type { ForgeEvent } from "../events.ts";
import { eventReaders, type Reader } from "./event-readers.ts";

export type GithubDelivery = {
  /** `X-GitHub-Delivery`. */
  id: string;
  /** `X-GitHub-Event`. */
  event: string;
  /** The raw body. */
  body: string;
};

/**
 * The event of a verified webhook delivery; null for those that the bot does not listen to, and for what its own App (`appId`)
 * says about checks. Throws `webhook-malformed` (fix-input) when a body is not what its headers say.
 */
export const parseGithubEvent = (
  delivery: GithubDelivery,
  { appId }: Reader = { appId: null },
): ForgeEvent | null => {
  if (!mayBeRead(delivery)) return null;
  const payload = parseJson(delivery);
  const action = isObject(payload) && typeof payload.action === "string" ? payload.action : "";
  const reader = eventReaders[`${delivery.event}.${action}`];
  return reader === undefined ? null : reader.read(checked(reader.schema, payload, delivery), { appId });
};

/**
 * False when it is certain, without reading all of the body, that nobody listens to it: most of what an organisation sends
 * is of that kind. GitHub's bodies begin with the action; where one does not, nothing is certain.
 */
const mayBeRead = ({ event, body }: GithubDelivery): boolean => {
  if (!listened.some((name) => name.startsWith(`${event}.`))) return false;
  const action = /^\s*\{\s*"action"\s*:\s*"([a-z_]{1,60})"/.exec(body.slice(0, 200))?.[1];
  return action === undefined || listened.includes(`${event}.${action}`);
};

const listened = Object.keys(eventReaders);

const parseJson = (delivery: GithubDelivery): unknown => {
  try {
    return JSON.parse(delivery.body);
  } catch (error) {
    throw malformed(delivery, `its body is no JSON: ${error instanceof Error ? error.message : error}`);
  }
};

const checked = <Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  delivery: GithubDelivery,
): z.output<Schema> => {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw malformed(delivery, problems.join("; "));
};

const malformed = ({ id, event }: GithubDelivery, problem: string) =>
  inputError(
    "webhook-malformed",
    `The GitHub delivery ${id} (${event}) cannot be read: ${problem}`,
    "Let the App send webhooks as application/json.",
  );
