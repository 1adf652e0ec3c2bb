import type { OpenAI } from "openai";
import type { ModelRequest } from "../model.ts";
import type { Provider } from "../model-config.ts";
import { type BodyOptions, chatBody } from "./chat-request.ts";
import { readChat } from "./chat-stream.ts";
import type { Draft } from "./draft.ts";
import { openExchange } from "./exchange.ts";
import { responsesBody } from "./responses-request.ts";
import { readResponse } from "./responses-stream.ts";
import type { Thrown } from "./thrown.ts";

/** The client leaves after this long; silence is noticed long before (milliseconds). */
const CLIENT_TIMEOUT = 24 * 3_600_000;

type Endpoint = { provider: Provider; apiKey: string | null; idleMs: number };

export type AskOnceOptions = Endpoint & {
  body: BodyOptions;
  signal: AbortSignal;
  onText?: ((piece: string) => void) | undefined;
};

/** One request and the reading of its reply. What goes wrong is returned, except the caller's own abort. */
export const askOnce = async (
  request: ModelRequest,
  options: AskOnceOptions,
): Promise<{ draft: Draft } | { thrown: Thrown }> => {
  const { signal, idleMs, provider, body, onText } = options;
  signal.throwIfAborted();
  const exchange = openExchange({ signal, idleMs });
  try {
    const client = await clientFor(options, exchange.fetch);
    const draft =
      provider.api === "responses"
        ? await readResponse(
            await client.responses.create(responsesBody(request, body), { signal: exchange.signal }),
            { onText },
          )
        : await readChat(
            await client.chat.completions.create(chatBody(request, body), { signal: exchange.signal }),
            { onText },
          );
    // The client ends an aborted stream as if it were whole.
    signal.throwIfAborted();
    return { draft };
  } catch (error) {
    signal.throwIfAborted();
    return { thrown: { error, body: exchange.refusal, gaveUp: exchange.gaveUp } };
  } finally {
    exchange.close();
  }
};

/** Loaded when first needed: the client takes longer to load than most commands run. */
const clientFor = async ({ provider, apiKey }: Endpoint, fetch: typeof globalThis.fetch): Promise<OpenAI> => {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    baseURL: provider.baseUrl,
    // The client insists on a key; a server without one gets no header.
    apiKey: apiKey ?? "none",
    ...(apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    fetch,
    maxRetries: 0,
    timeout: CLIENT_TIMEOUT,
    logLevel: "off",
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
  });
};
