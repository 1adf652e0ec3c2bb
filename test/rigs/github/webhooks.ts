import { createHmac, randomUUID } from "node:crypto";
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
  /** Signs a payload and delivers it. */
  deliver(event: string, payload: unknown): Promise<void>;
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
    deliver: async (event, payload) => {
      const action = at(payload, "action");
      await send({
        id: randomUUID(),
        event,
        action: typeof action === "string" ? action : null,
        body: JSON.stringify(payload),
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
