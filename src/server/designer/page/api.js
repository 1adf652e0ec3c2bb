/** @import { StreamEvent } from "../stream-event.ts" */

/** What the server refused, in its words. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * The designer's HTTP API, with the server's token.
 * @param {string} token
 */
export const apiWith = (token) => {
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ headers?: Record<string, string>, signal?: AbortSignal }} [options]
   */
  const send = async (method, path, body, { headers = {}, signal } = {}) => {
    const response = await fetch(`/api/v1/${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.ok) return response;
    const { error, hint = "" } = await response.json().catch(() => ({ error: response.statusText }));
    throw new Refused([error, hint].filter((text) => text !== "").join(" "), response.status);
  };
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const ask = async (method, path, body) => (await send(method, path, body)).json();
  return {
    ask,
    /**
     * @param {{ session_id: string, user_message: string, config: object }} said
     * @param {AbortSignal} signal
     * @returns {AsyncGenerator<StreamEvent>}
     */
    say: async function* (said, signal) {
      const { body } = await send("POST", "chat/stream", said, { signal });
      if (body !== null) yield* eventsIn(body);
    },
    /**
     * Starts the workflow of a session, once for each key.
     * @param {string} sessionId
     * @param {{ forge: string, repository: string, issue: number, input: string }} run
     * @param {string} key
     * @returns {Promise<{ thread_id: string, url: string | null }>}
     */
    run: async (sessionId, run, key) => {
      const headers = { "idempotency-key": key };
      return (await send("POST", `workflow/${sessionId}/run`, run, { headers })).json();
    },
  };
};

/** @typedef {ReturnType<typeof apiWith>} Api */

/**
 * What stands after `data:`, as it comes (https://html.spec.whatwg.org/#event-stream-interpretation).
 * @param {ReadableStream<Uint8Array>} body
 */
const eventsIn = async function* (body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const events = `${rest}${decoder.decode(bytes, { stream: true })}`.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events)
      if (event.startsWith("data: ")) yield JSON.parse(event.slice("data: ".length));
  }
};
