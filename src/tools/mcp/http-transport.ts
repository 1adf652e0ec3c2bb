import { type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

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
  const response = await fetch(url, init);
  return response.body !== null ? bounded(response, response.body) : response;
};

const bounded = (response: Response, body: ReadableStream<Uint8Array>): Response => {
  let read = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        read += chunk.length;
        if (read > MAX_BYTES) controller.error(new Error(`it said more than ${MAX_BYTES / 1024 / 1024} MiB`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
};
