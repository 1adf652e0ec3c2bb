import { createHmac, randomUUID } from "node:crypto";
import { at } from "../github/api.ts";

export type Delivered = {
  id: string;
  event: string;
  action: string | null;
  body: string;
  /** What the bot answered; null when it was not reached in time. */
  status: number | null;
};

/** The event's name, and what the hook was asked to listen to. */
export type EventName = { event: string; type: string };

export type Webhooks = {
  /** Delivers in its turn, once, and waits for nothing. */
  send(name: EventName, payload: object): void;
  sendTo(url: string): void;
  /** `X-Forgejo-Signature` of a body. */
  signatureOf(body: string): string;
  readonly delivered: readonly Delivered[];
  /** When all was delivered that was sent by now. */
  idle(): Promise<void>;
};

/** Forgejo's `DELIVER_TIMEOUT`. It delivers nothing twice. */
const TIMEOUT_MS = 5_000;

/** Signed, with the headers of every forge that Forgejo stands in for. With the secret "" the signature is there and empty. */
export const webhooks = ({ secret }: { secret: string }): Webhooks => {
  const delivered: Delivered[] = [];
  let target: string | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const signed = (algorithm: "sha1" | "sha256", body: string): string =>
    secret === "" ? "" : createHmac(algorithm, secret).update(body).digest("hex");

  const deliver = async (sent: Delivered, { event, type }: EventName): Promise<void> => {
    if (target === null) return;
    const names = ["Forgejo", "Gitea", "Gogs", "GitHub"].flatMap((forge) => [
      [`X-${forge}-Delivery`, sent.id],
      [`X-${forge}-Event`, event],
      [`X-${forge}-Event-Type`, type],
    ]);
    const signature = signed("sha256", sent.body);
    const response = await fetch(target, {
      method: "POST",
      body: sent.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        "content-type": "application/json",
        "user-agent": "Go-http-client/1.1",
        ...Object.fromEntries(names),
        "x-forgejo-signature": signature,
        "x-gitea-signature": signature,
        "x-gogs-signature": signature,
        "x-hub-signature": `sha1=${signed("sha1", sent.body)}`,
        "x-hub-signature-256": `sha256=${signature}`,
      },
    }).catch(() => null);
    sent.status = response?.status ?? null;
  };

  return {
    delivered,
    signatureOf: (body) => signed("sha256", body),
    sendTo: (url) => {
      target = url;
    },
    idle: async () => void (await last),
    send: (name, payload) => {
      const action = at(payload, "action");
      const sent: Delivered = {
        id: randomUUID(),
        event: name.event,
        action: typeof action === "string" ? action : null,
        body: JSON.stringify(payload, null, 2),
        status: null,
      };
      delivered.push(sent);
      last = last.then(() => deliver(sent, name));
    },
  };
};
