import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../base/errors.ts";
import type { Door } from "./door.ts";
import { type Host, isLoopback, readTarget, sameHost, type Target, targetText } from "./host-name.ts";
import type { RefusalReason } from "./refusal.ts";

/** What a request asks for; `target`: as far as it can be read. */
type Asked =
  | { kind: "request"; target: Target; path: string }
  | { kind: "refused"; target: string; reason: RefusalReason };

/** For one connection alone (RFC 9110, section 7.6.1), and what would turn it into something else than HTTP/1.1. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
  "host",
]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT"]);
const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

/**
 * Sends a plain HTTP request on to the host that it names, and its answer back, as it is: redirects are not followed. `within`:
 * the host of the tunnel that it came through.
 */
export const forwardRequest = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  { door, within }: { door: Door; within: Target | null },
): Promise<void> => {
  const asked = askedFor(incoming, within);
  if (asked.kind === "refused") {
    const code = asked.reason === "malformed" ? 400 : 403;
    return answer(response, code, door.refuse(asked.target, asked.reason));
  }
  const opened = await door.open(asked.target);
  switch (opened.kind) {
    case "refused":
      return answer(response, 403, door.refuse(targetText(asked.target), opened.reason));
    case "unreachable":
      return answer(response, 502, `uwf's proxy: ${opened.problem}.\n`);
    case "open":
      return exchange(incoming, response, { ...asked, socket: opened.socket, door });
  }
};

const askedFor = (incoming: IncomingMessage, within: Target | null): Asked => {
  const { url = "", method = "", rawHeaders } = incoming;
  const hosts = valuesOf(rawHeaders, "host");
  const [, authority, path = ""] =
    (within === null ? /^http:\/\/([^/?#]*)(.*)$/i : /^()(\/.*)$/).exec(url) ?? [];
  const target = within ?? readTarget(authority ?? "", 80);
  const named = hosts.length === 1 ? readTarget(hosts[0] ?? "", within?.port ?? 80) : null;
  if (target === null) return { kind: "refused", target: "?", reason: "malformed" };
  const refused = (reason: RefusalReason): Asked => ({ kind: "refused", target: targetText(target), reason });
  if (authority === undefined || !METHODS.has(method) || named === null || !isPath(path))
    return refused("malformed");
  const codings = valuesOf(rawHeaders, "transfer-encoding");
  if (codings.length > 1 || !["", "chunked"].includes((codings[0] ?? "").toLowerCase()))
    return refused("malformed");
  if (!isSame(named.host, target.host) || named.port !== target.port) return refused("other-host");
  return { kind: "request", target, path: path.startsWith("/") ? path : `/${path}` };
};

/** The sandbox shows what is allowed of this machine's loopback where its own is, whatever that is called. */
const isSame = (one: Host, other: Host): boolean =>
  sameHost(one, other) || (isLoopback(one) && isLoopback(other));

const isPath = (path: string): boolean => /^(?:[/?][\x21\x22\x24-\x7e]*)?$/.test(path);

type Exchange = { target: Target; path: string; socket: Socket; door: Door };

const exchange = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, path, socket, door }: Exchange,
): Promise<void> => {
  const { method = "GET", rawHeaders } = incoming;
  const headers = [...kept(rawHeaders), "Host", hostHeader(target), "Connection", "close"];
  if (valuesOf(rawHeaders, "transfer-encoding").length > 0) headers.push("Transfer-Encoding", "chunked");
  else if (WITH_BODY.has(method) && valuesOf(rawHeaders, "content-length").length === 0)
    headers.push("Content-Length", "0");
  const outgoing = request({ createConnection: () => socket, method, path, headers, setHost: false });
  outgoing.setTimeout(door.limits.idleMs, () => outgoing.destroy(new Error("nothing came for too long")));
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
      outgoing.once("close", () => reject(new Error("it closed the connection")));
    });
    // A server may answer before it has read everything.
    const sent = pipeline(incoming, door.meter(target), outgoing).catch(() => undefined);
    const answer = await answered;
    response.writeHead(answer.statusCode ?? 502, kept(answer.rawHeaders));
    await pipeline(answer, door.meter(target), response);
    await sent;
  } catch (error) {
    if (response.headersSent) response.destroy();
    else answer(response, 502, `uwf's proxy: ${targetText(target)} gave no answer (${messageOf(error)}).\n`);
  } finally {
    socket.destroy();
  }
};

const answer = (response: ServerResponse, code: number, text: string): void => {
  response.writeHead(code, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(text);
};

/** The headers that go on, without those that `Connection` names. */
const kept = (raw: readonly string[]): string[] => {
  const named = valuesOf(raw, "connection").flatMap((value) => value.toLowerCase().split(/[\s,]+/));
  const drop = new Set([...HOP_BY_HOP, ...named.filter((name) => name !== "content-length")]);
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !drop.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ""] : [],
  );
};

const valuesOf = (raw: readonly string[], header: string): string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === header ? [raw[index + 1] ?? ""] : [],
  );

const hostHeader = (target: Target): string => targetText(target).replace(/:80$/, "");
