import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { readClientHello } from "./client-hello.ts";
import type { Door } from "./door.ts";
import { readHost, readTarget, sameHost, type Target, targetText } from "./host-name.ts";
import type { RefusalReason } from "./refusal.ts";

/** What begins a tunnel: TLS for the host that was asked for, or plain HTTP, which has to be looked at as such. */
type Beginning = { kind: "tls" | "http"; bytes: Buffer } | { kind: "refused"; reason: RefusalReason };

/** A fatal alert of TLS: `unrecognized_name` (RFC 8446, section 6.2), so that programs say what is wrong. */
const UNRECOGNIZED_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

/**
 * Answers CONNECT. Inside has to be TLS for that very host: servers share addresses, and what is said there decides
 * which one answers. `serve` takes over what is plain HTTP.
 */
export const openTunnel = async (
  { url = "", headers }: Pick<IncomingMessage, "url" | "headers">,
  { client, head }: { client: Duplex; head: Buffer },
  { door, serve }: { door: Door; serve: (client: Duplex, target: Target) => void },
): Promise<void> => {
  const target = readTarget(url, null);
  if (target === null) return answer(client, "400 Bad Request", door.refuse("?", "malformed"));
  const refuse = (reason: RefusalReason): string => door.refuse(targetText(target), reason);
  const named = headers.host === undefined ? target : readTarget(headers.host, target.port);
  if (named === null) return answer(client, "400 Bad Request", refuse("malformed"));
  if (!sameHost(named.host, target.host)) return answer(client, "403 Forbidden", refuse("other-host"));
  const opened = await door.open(target);
  if (opened.kind === "refused") return answer(client, "403 Forbidden", refuse(opened.reason));
  if (opened.kind === "unreachable")
    return answer(client, "502 Bad Gateway", `uwf's proxy: ${opened.problem}.\n`);
  const upstream = opened.socket;
  upstream.on("error", () => client.destroy());
  client.once("close", () => upstream.destroy());
  if (client.destroyed) return void upstream.destroy();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  const begun = await beginning(client, { head, target, ms: door.limits.headMs });
  if (begun === null) return void client.destroy();
  if (begun.kind === "tls") return join(client, upstream, { begun: begun.bytes, door, target });
  upstream.destroy();
  if (begun.kind === "refused") {
    refuse(begun.reason);
    client.end(UNRECOGNIZED_NAME);
    return;
  }
  client.unshift(begun.bytes);
  serve(client, target);
};

const join = (
  client: Duplex,
  upstream: Socket,
  { begun, door, target }: { begun: Buffer; door: Door; target: Target },
): void => {
  upstream.write(begun);
  upstream.setTimeout(door.limits.idleMs, () => upstream.destroy());
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  pipeline(client, door.meter(target), upstream, (error) => error && end());
  pipeline(upstream, door.meter(target), client, (error) => error && end());
};

/** Reads until it is clear what begins; null when the other side ends, or takes too long. */
const beginning = (
  client: Duplex,
  { head, target, ms }: { head: Buffer; target: Target; ms: number },
): Promise<Beginning | null> =>
  new Promise((resolve) => {
    let bytes = head;
    const end = (found: Beginning | null): void => {
      clearTimeout(timer);
      client.off("data", more).off("end", ended).off("close", ended);
      client.pause();
      resolve(found);
    };
    const look = (): void => {
      const found = judge(bytes, target);
      if (found !== null) end(found);
    };
    const more = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    };
    const ended = (): void => end(null);
    const timer = setTimeout(ended, ms);
    client.on("data", more).once("end", ended).once("close", ended);
    look();
  });

const judge = (bytes: Buffer, { host }: Target): Beginning | null => {
  const first = bytes[0];
  if (first === undefined) return null;
  if (first >= 0x41 && first <= 0x5a) return { kind: "http", bytes };
  const hello = readClientHello(bytes);
  if (hello.kind === "incomplete") return null;
  if (hello.kind === "invalid") return { kind: "refused", reason: "no-tls" };
  const { serverName, isHidden } = hello;
  const named = serverName === null ? null : readHost(serverName);
  // Addresses cannot be named (RFC 6066, section 3).
  const isIt = host.kind === "address" ? serverName === null : named !== null && sameHost(named, host);
  return isIt && !isHidden ? { kind: "tls", bytes } : { kind: "refused", reason: "other-host" };
};

const answer = (client: Duplex, status: string, text: string): void => {
  const length = Buffer.byteLength(text);
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
};
