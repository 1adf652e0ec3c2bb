import { type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { boundedResponse } from "../../base/bounded-response.ts";

/** Of one response. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Talks with a server over HTTP. It is only ever asked: what it would say by itself is not listened to. A redirect is followed within the
 * server alone, so that the key stays there.
 */
export const httpTransport = (url: string, key: string | null): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), {
    fetch: onlyAsked,
    ...(key === null ? {} : { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });

const onlyAsked: FetchLike = async (url, init) => {
  if (init?.method === "GET") return new Response(null, { status: 405 });
  return boundedResponse(await fetch(url, init), MAX_BYTES);
};
