import type { Log } from "../base/log.ts";
import type { Model } from "../llm/model.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Designs } from "./designs.ts";
import type { Library } from "./library.ts";
import type { ConversationRequest, ConversationResponse } from "./messages.ts";

/** What one conversation may take; null: no limit. Money counts models with a price. */
export type DesignerLimits = {
  tokens: number | null;
  usd: number | null;
  /** For one request that asks for no other time. */
  timeoutSeconds: number;
};

export type DesignerParts = {
  model: Model;
  /** Read anew for each request: workflows come and go. */
  catalogue: () => Promise<Catalogue>;
  workflows: Designs;
  /** null: nothing is looked up. */
  library: Library | null;
  limits: DesignerLimits;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
};

/**
 * Carries a conversation on by what the person said: one response per message and per change of stage. Keeps nothing
 * itself: the state comes in with the request and goes out with each response. Whatever goes wrong is a response of
 * type `error`, except the cancellation that `signal` asks for, whose reason is thrown.
 */
export type ProcessConversation = (
  request: ConversationRequest,
  options: { signal: AbortSignal },
) => AsyncIterable<ConversationResponse>;
