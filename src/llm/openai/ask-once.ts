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

/** `pieces`: how many of the reply had come, for which the server wants to be paid; null: it had not begun to answer. */
type Broken = { thrown: Thrown; pieces: number | null };

/** One request and the reading of its reply. What goes wrong is returned, the caller's abort in the middle of it as well. */
export const askOnce = async (
  request: ModelRequest,
  options: AskOnceOptions,
): Promise<{ draft: Draft } | Broken> => {
  const { signal, idleMs, provider, body, onText } = options;
  signal.throwIfAborted();
  const exchange = openExchange({ signal, idleMs });
  let pieces: number | null = null;
  const counted = async function* <T>(stream: AsyncIterable<T>): AsyncIterable<T> {
    pieces = 0;
    for await (const piece of stream) {
      pieces++;
      yield piece;
    }
  };
  try {
    const client = await clientFor(options, exchange.fetch);
    const draft =
      provider.api === "responses"
        ? await readResponse(
            counted(await client.responses.create(responsesBody(request, body), { signal: exchange.signal })),
            { onText },
          )
        : await readChat(
            counted(
              await client.chat.completions.create(chatBody(request, body), { signal: exchange.signal }),
            ),
            { onText },
          );
    // The client ends an aborted stream as if it were whole.
    signal.throwIfAborted();
    return { draft };
  } catch (error) {
    const { refusal, gaveUp } = exchange;
    // A server that is given up may have worked on its answer all the time.
    const begun = pieces ?? (gaveUp === null && !signal.aborted ? null : 0);
    return { thrown: { error, body: refusal, gaveUp }, pieces: begun };
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
