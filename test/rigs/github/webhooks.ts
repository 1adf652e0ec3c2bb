import { createHmac, randomUUID } from "node:crypto";
import { isObject } from "../../../src/base/json.ts";
import { at } from "./api.ts";

export type Delivered = {
  id: string;
  event: string;
  action: string | null;
  body: string;
  /** What the bot answered; null when it was not reached. */
  status: number | null;
};

export type WebhookRelay = {
  /** Takes what the emulator sends, completes it as GitHub would and delivers it. */
  relay(event: string, payload: unknown): Promise<void>;
  /** Sends a kept delivery again under its old id, as the button on GitHub does. */
  redeliver(id: string): Promise<Delivered>;
  sendTo(url: string): void;
  /** `X-Hub-Signature-256` of a body. */
  signatureOf(body: string): string;
  readonly delivered: readonly Delivered[];
};

/** GitHub waits ten seconds for an answer. */
const TIMEOUT_MS = 10_000;

export const webhookRelay = ({ secret, appId }: { secret: string; appId: number }): WebhookRelay => {
  const delivered: Delivered[] = [];
  let target: string | null = null;

  const signatureOf = (body: string): string =>
    `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

  const send = async (delivery: Omit<Delivered, "status">): Promise<Delivered> => {
    const sent = { ...delivery, status: null as number | null };
    delivered.push(sent);
    if (target === null) return sent;
    const response = await fetch(target, {
      method: "POST",
      body: delivery.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        "content-type": "application/json",
        "user-agent": "GitHub-Hookshot/rig",
        "x-github-delivery": delivery.id,
        "x-github-event": delivery.event,
        "x-github-hook-id": String(appId),
        "x-github-hook-installation-target-type": "integration",
        "x-hub-signature-256": signatureOf(delivery.body),
      },
    }).catch(() => null);
    sent.status = response?.status ?? null;
    return sent;
  };

  return {
    delivered,
    signatureOf,
    sendTo: (url) => {
      target = url;
    },
    relay: async (event, payload) => {
      const complete = completed(payload);
      const action = at(complete, "action");
      await send({
        id: randomUUID(),
        event,
        action: typeof action === "string" ? action : null,
        body: JSON.stringify(complete),
      });
    },
    redeliver: (id) => {
      const kept = delivered.find((delivery) => delivery.id === id);
      if (kept === undefined) throw new Error(`no delivery ${id}`);
      const { status: _, ...delivery } = kept;
      return send(delivery);
    },
  };
};

/** Adds the organisation, and the label as the issue has it. */
const completed = (payload: unknown): unknown => {
  if (!isObject(payload)) return payload;
  const owner = at(payload, "repository", "owner");
  const organization = at(owner, "type") === "User" ? {} : { organization: owner };
  const labels = at(payload, "issue", "labels");
  const name = at(payload, "label", "name");
  const label = Array.isArray(labels)
    ? labels.find((candidate) => at(candidate, "name") === name)
    : undefined;
  return { ...payload, ...organization, ...(label === undefined ? {} : { label }) };
};
