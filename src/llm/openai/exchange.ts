import { boundedResponse } from "../../base/bounded-response.ts";

/** One request to a server, watched: what it answered when it refused, and whether it fell silent or found no end. */
export type Exchange = {
  /** Aborted by the caller's signal, by silence, and by a reply without end. */
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  /** The body of an error answer, as text; the client keeps only those of OpenAI's own shape. */
  readonly refusal: string | null;
  /** Why the watch ended the request, or null: it did not. */
  readonly gaveUp: string | null;
  /** Stops the watch; to be called when the reply is read or given up. */
  close(): void;
};

/** Nothing else leaves the process: the client adds what its environment variables say, and telemetry. */
const HEADERS = new Set(["accept", "authorization", "content-type", "user-agent"]);
const MAX_REFUSAL = 20_000;
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** No reply of a model is longer than this, in milliseconds and in bytes; keep-alive lines count as well. */
const MAX_MS = 30 * 60_000;
const MAX_BYTES = 100_000_000;

/**
 * Opens the watch over one request. Without a single byte for `idleMs` milliseconds the request is aborted.
 * Redirects are not followed: a key goes to the configured server and nowhere else.
 */
export const openExchange = ({ signal, idleMs }: { signal: AbortSignal; idleMs: number }): Exchange => {
  const watch = new AbortController();
  let gaveUp: string | null = null;
  let refusal: string | null = null;
  let bytes = 0;
  const giveUp = (reason: string): void => {
    gaveUp ??= reason;
    watch.abort();
  };
  const silence = setTimeout(() => giveUp(`sent nothing for ${Math.round(idleMs / 1000)} s`), idleMs);
  const end = setTimeout(() => giveUp(`sent a reply for ${MAX_MS / 60_000} minutes without an end`), MAX_MS);
  const touch = (size = 0): void => {
    bytes += size;
    silence.refresh();
    if (bytes > MAX_BYTES) giveUp(`sent more than ${MAX_BYTES} bytes`);
  };

  const watchedFetch: typeof fetch = async (input, init) => {
    touch();
    const headers = [...new Headers(init?.headers)].filter(([name]) => HEADERS.has(name));
    const response = await fetch(input, { ...init, headers, redirect: "manual" });
    touch();
    if (response.ok) return asEventStream(response, touch);
    const bounded = boundedResponse(response, MAX_REFUSAL_BYTES);
    refusal = (await bounded.clone().text()).slice(0, MAX_REFUSAL);
    return bounded;
  };

  return {
    signal: AbortSignal.any([signal, watch.signal]),
    fetch: watchedFetch,
    get refusal() {
      return refusal;
    },
    get gaveUp() {
      return gaveUp;
    },
    close: () => {
      clearTimeout(silence);
      clearTimeout(end);
    },
  };
};

/** Counts the bytes that come; an answer in plain JSON (a server that cannot stream) becomes a stream of one event. */
const asEventStream = async (response: Response, touch: (size: number) => void): Promise<Response> => {
  const { status, headers, body } = response;
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      touch(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  const counted = new Response(body?.pipeThrough(watched) ?? null, { status, headers });
  if (!headers.get("content-type")?.includes("application/json")) return counted;
  const whole = JSON.stringify(await counted.json());
  return new Response(`data: ${whole}\n\ndata: [DONE]\n\n`, { status });
};
