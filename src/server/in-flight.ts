import type { FastifyReply, FastifyRequest } from "fastify";

export type InFlightLimits = {
  requests: number;
  /** Of bodies, as their senders announce them. */
  bytes: number;
  /** What a body without an announced length may hold. */
  unannounced: number;
};

/**
 * Counts requests from their headers to the end of their connection's answer, and their bodies. The function that it
 * answers says whether there is room for one more: without, it is to be refused before its body is read.
 */
export const inFlight = ({ requests, bytes, unannounced }: InFlightLimits) => {
  let count = 0;
  let size = 0;
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const announced = Number(request.headers["content-length"] ?? unannounced);
    const length = Number.isFinite(announced) ? announced : unannounced;
    if (count >= requests || (count > 0 && size + length > bytes)) return false;
    count++;
    size += length;
    // Comes also when the sender hangs up in the middle.
    reply.raw.once("close", () => {
      count--;
      size -= length;
    });
    return true;
  };
};

export const refuseForNow = (reply: FastifyReply, error: string, seconds: number): FastifyReply =>
  reply.code(503).header("retry-after", String(seconds)).send({ error });
