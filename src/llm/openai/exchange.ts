/** One request to a server, watched: what it answered when it refused, and whether it fell silent. */
export type Exchange = {
  /** Aborted by the caller's signal and by silence. */
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  /** The body of an error answer, as text; the client keeps only those of OpenAI's own shape. */
  readonly refusal: string | null;
  readonly idle: boolean;
  /** Stops the watch; to be called when the reply is read or given up. */
  close(): void;
};

/** Nothing else leaves the process: the client adds what its environment variables say, and telemetry. */
const HEADERS = new Set(["accept", "authorization", "content-type", "user-agent"]);
const MAX_REFUSAL = 20_000;

/**
 * Opens the watch over one request. Without a single byte for `idleMs` milliseconds the request is aborted.
 * Redirects are not followed: a key goes to the configured server and nowhere else.
 */
export const openExchange = ({ signal, idleMs }: { signal: AbortSignal; idleMs: number }): Exchange => {
  const silence = new AbortController();
  let refusal: string | null = null;
  const timer = setTimeout(() => silence.abort(), idleMs);
  const touch = (): void => void timer.refresh();

  const watchedFetch: typeof fetch = async (input, init) => {
    touch();
    const headers = [...new Headers(init?.headers)].filter(([name]) => HEADERS.has(name));
    const response = await fetch(input, { ...init, headers, redirect: "manual" });
    touch();
    if (!response.ok) refusal = (await response.clone().text()).slice(0, MAX_REFUSAL);
    return response.ok ? asEventStream(response, touch) : response;
  };

  return {
    signal: AbortSignal.any([signal, silence.signal]),
    fetch: watchedFetch,
    get refusal() {
      return refusal;
    },
    get idle() {
      return silence.signal.aborted;
    },
    close: () => clearTimeout(timer),
  };
};

/** Counts the bytes that come; an answer in plain JSON (a server that cannot stream) becomes a stream of one event. */
const asEventStream = async (response: Response, touch: () => void): Promise<Response> => {
  const { status, headers, body } = response;
  if (headers.get("content-type")?.includes("application/json")) {
    const whole = JSON.stringify(await response.json());
    return new Response(`data: ${whole}\n\ndata: [DONE]\n\n`, { status });
  }
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      touch();
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(watched) ?? null, { status, headers });
};
