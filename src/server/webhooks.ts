import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { AppError, messageOf } from "../base/errors.ts";
import type { ForgeKind } from "../forge/events.ts";
import { inFlight, refuseForNow } from "./in-flight.ts";
import { MAX_BODY_BYTES } from "./max-body.ts";

export type WebhookReceiver = {
  /** True when `signature` is the secret's over these very bytes. */
  verify(body: Uint8Array, signature: string): boolean;
  /** Keeps the delivery; the work is done later. Throws `deliveries-full` (retry) when too many of its sender's wait. */
  receive(delivery: { id: string; event: string; body: string }): Promise<void>;
  /** What is in memory at once; more is refused until there is room. */
  atOnce?: { deliveries: number; bytes: number };
};

/** What became of a delivery. */
export type WebhookOutcome =
  | "accepted"
  | "malformed"
  | "wrong-signature"
  | "too-large"
  | "busy"
  | "not-stored"
  | "failed";

export type WebhookOptions = WebhookReceiver & {
  forge: ForgeKind;
  /** Told of each delivery when it has its answer. */
  observe?: (outcome: WebhookOutcome, seconds: number) => void;
};

const AT_ONCE = { deliveries: 1_000, bytes: 256 * 1024 * 1024 };
const RETRY_AFTER_SECONDS = 10;
/** Until there is room in a line of thousands. */
const FULL_RETRY_SECONDS = 120;

const ID = /^[\w-]{1,100}$/;
const EVENT = /^[a-z_]{1,60}$/;

/** Where each forge puts what. Forgejo sends GitHub's headers beside its own: the path says who speaks. */
const WIRES = {
  github: {
    name: "GitHub",
    id: "x-github-delivery",
    event: "x-github-event",
    signature: "x-hub-signature-256",
    signed: /^sha256=[0-9a-f]{64}$/,
  },
  // Without a secret Forgejo's signature is there, and empty.
  forgejo: {
    name: "Forgejo",
    id: "x-forgejo-delivery",
    event: "x-forgejo-event",
    signature: "x-forgejo-signature",
    signed: /^[0-9a-f]{64}$/,
  },
} as const satisfies Record<ForgeKind, object>;

/** `POST /api/<forge>/webhooks`: verified over its raw bytes, stored, acknowledged; nothing else is done here. */
export const webhooks: FastifyPluginAsync<WebhookOptions> = async (server, options) => {
  const { forge, verify, receive, observe, atOnce = AT_ONCE } = options;
  const hasRoom = inFlight({ requests: atOnce.deliveries, bytes: atOnce.bytes, unannounced: MAX_BODY_BYTES });
  const outcomes = new WeakMap<FastifyRequest, WebhookOutcome>();

  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  server.addHook("onRequest", (request, reply, next) => {
    if (hasRoom(request, reply)) return next();
    outcomes.set(request, "busy");
    refuseForNow(reply, "Too many deliveries at once; deliver it again.", RETRY_AFTER_SECONDS);
  });
  server.addHook("onResponse", (request, reply, next) => {
    observe?.(outcomes.get(request) ?? outcomeOf(reply.statusCode), reply.elapsedTime / 1000);
    next();
  });
  server.post(`/api/${forge}/webhooks`, async (request, reply) => {
    const delivery = readDelivery(request, WIRES[forge]);
    if (delivery === null)
      return reply.code(400).send({
        error: `This is not a signed webhook of ${WIRES[forge].name}: headers or body are missing.`,
      });
    const { id, event, bytes, signature } = delivery;
    if (!verify(bytes, signature))
      return reply.code(401).send({ error: "The signature does not match the webhook secret." });
    try {
      await receive({ id, event, body: bytes.toString("utf8") });
    } catch (error) {
      if (error instanceof AppError && error.code === "deliveries-full") {
        outcomes.set(request, "busy");
        request.log.warn({ delivery: `${forge}-${id}` }, error.message);
        return refuseForNow(reply, "Too many deliveries wait; deliver it again.", FULL_RETRY_SECONDS);
      }
      outcomes.set(request, "not-stored");
      request.log.error({ delivery: `${forge}-${id}`, error: messageOf(error) }, "cannot store the delivery");
      return refuseForNow(reply, "The delivery could not be stored; deliver it again.", RETRY_AFTER_SECONDS);
    }
    return reply.code(202).send({ accepted: id });
  });
};

const readDelivery = ({ headers, body }: FastifyRequest, wire: (typeof WIRES)[ForgeKind]) => {
  const id = matching(ID, headers[wire.id]);
  const event = matching(EVENT, headers[wire.event]);
  const signature = matching(wire.signed, headers[wire.signature]);
  if (id === null || event === null || signature === null) return null;
  // No JSON text holds a NUL, and not every database takes one.
  if (!Buffer.isBuffer(body) || body.length === 0 || body.includes(0)) return null;
  return { id, event, signature, bytes: body };
};

const matching = (pattern: RegExp, header: string | string[] | undefined): string | null =>
  typeof header === "string" && pattern.test(header) ? header : null;

const outcomeOf = (status: number): WebhookOutcome => {
  if (status < 300) return "accepted";
  if (status === 401) return "wrong-signature";
  if (status === 413) return "too-large";
  return status < 500 ? "malformed" : "failed";
};
