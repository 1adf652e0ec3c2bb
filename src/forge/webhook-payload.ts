import type { z } from "zod";
import { inputError, messageOf } from "../base/errors.ts";

/** A webhook delivery, verified. */
export type WebhookDelivery = {
  /** The forge's own id of it. */
  id: string;
  /** The event's name, of the forge's header. */
  event: string;
  /** The raw body. */
  body: string;
};

/** The body as JSON. Throws `webhook-malformed` (fix-input). */
export const parsePayload = (delivery: WebhookDelivery): unknown => {
  try {
    return JSON.parse(delivery.body);
  } catch (error) {
    throw malformed(delivery, `its body is no JSON: ${messageOf(error)}`);
  }
};

/** Of the payload what the schema keeps. Throws `webhook-malformed` (fix-input). */
export const checkPayload = <Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  delivery: WebhookDelivery,
): z.output<Schema> => {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw malformed(delivery, problems.join("; "));
};

/** The action that a body begins with, without reading all of it; undefined where it begins with something else. */
export const actionAtStart = ({ body }: WebhookDelivery): string | undefined =>
  /^\s*\{\s*"action"\s*:\s*"([a-z_]{1,60})"/.exec(body.slice(0, 200))?.[1];

const malformed = ({ id, event }: WebhookDelivery, problem: string) =>
  inputError(
    "webhook-malformed",
    `The delivery ${id} (${event}) cannot be read: ${problem}`,
    "Let the forge send webhooks as application/json.",
  );
