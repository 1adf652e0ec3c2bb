import type { ForgeEvent, ForgeKind } from "./events.ts";
import type { Forges, Locate } from "./forge.ts";
import type { WebhookDelivery } from "./webhook-payload.ts";

/** What a forge's webhooks are verified and read with. */
export type Hook = {
  /** True when `signature` is the secret's over these very bytes. */
  verify(body: Uint8Array, signature: string): boolean;
  /** The event of a verified delivery; null for those that the bot does not listen to. Throws `webhook-malformed` (fix-input). */
  read(delivery: WebhookDelivery): ForgeEvent | null;
};

/** One forge, as a bot works with it. */
export type OpenedForge = { forges: Forges; locate: Locate; hook: Hook };

export type OpenedForges = Readonly<Partial<Record<ForgeKind, OpenedForge>>>;
