import type { FastifyReply, FastifyRequest } from "fastify";
import { isSameSecret } from "../base/same-secret.ts";

/** Failures of one address before it is told to wait, and for how long they count. */
const MOST_FAILURES = 20;
const WINDOW_MS = 60_000;
/** Addresses remembered at once. */
const MOST_ADDRESSES = 10_000;

/** Browsers ask the person for a password then. */
const BASIC = 'Basic realm="uwf", charset="UTF-8"';
/** For what scripts ask: their page says itself what is missing. */
export const BEARER = 'Bearer realm="uwf"';

type Failures = { count: number; since: number };
/** Whether it refused, and so answered. Not the reply: to await that is to wait for the answer's end, and gives nothing. */
export type TokenGuard = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Lets requests through that bring one of the tokens, which are named as the settings that hold them: as a bearer, or, for browsers, as
 * the password of HTTP's Basic scheme, with any user name. Others are answered 401, and 429 for a while once an address has guessed often.
 */
export const tokenGuard = (
  named: Readonly<Record<string, string>>,
  { now = Date.now, challenge = BASIC }: { now?: () => number; challenge?: string } = {},
): TokenGuard => {
  const tokens = Object.values(named);
  const error = `This needs the token that ${Object.keys(named).join(" or ")} has, as a bearer token or as a password.`;
  const failures = new Map<string, Failures>();

  const failuresOf = (address: string): Failures => {
    const known = failures.get(address);
    if (known !== undefined && known.since + WINDOW_MS > now()) return known;
    failures.delete(address);
    return { count: 0, since: now() };
  };
  const remember = (address: string, before: Failures): void => {
    const [oldest] = failures.keys();
    if (failures.size >= MOST_ADDRESSES && oldest !== undefined) failures.delete(oldest);
    failures.set(address, { ...before, count: before.count + 1 });
  };

  return (request, reply) => {
    const given = tokenIn(request.headers.authorization);
    if (given !== null && tokens.some((token) => isSameSecret(given, token))) return false;
    const failed = failuresOf(request.ip);
    if (given !== null && failed.count >= MOST_FAILURES) {
      const seconds = Math.ceil((failed.since + WINDOW_MS - now()) / 1000);
      reply.code(429).header("retry-after", String(seconds)).send({ error: "Too many wrong tokens." });
      return true;
    }
    if (given !== null) remember(request.ip, failed);
    reply.code(401).header("www-authenticate", challenge).send({ error });
    return true;
  };
};

const tokenIn = (authorization: string | undefined): string | null => {
  const [, scheme = "", value = ""] = /^(bearer|basic) +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (value === "") return null;
  if (scheme.toLowerCase() === "bearer") return value;
  const credentials = Buffer.from(value, "base64").toString("utf8");
  const colon = credentials.indexOf(":");
  return colon === -1 ? null : credentials.slice(colon + 1);
};
