import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { readClientHello } from "./client-hello.ts";
import type { Door } from "./door.ts";
import { asksForRetry, mayBeginChangeCipherSpec, withoutChangeCipherSpec } from "./hello-retry.ts";
import { readHost, readTarget, sameHost, type Target, targetText } from "./host-name.ts";
import { readUntil } from "./read-until.ts";
import type { RefusalReason } from "./refusal.ts";

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
  const { headMs: ms } = door.limits;
  const begun = await readUntil(client, { head, ms, judge: (bytes) => judge(bytes, target) });
  if (begun === null) return void client.destroy();
  const { found, bytes } = begun;
  if (found === "tls") return join({ client, upstream, hello: bytes }, { door, target });
  upstream.destroy();
  if (found !== "http") {
    refuse(found);
    client.end(UNRECOGNIZED_NAME);
    return;
  }
  client.unshift(bytes);
  serve(client, target);
};

type Ends = { client: Duplex; upstream: Socket; hello: Buffer };

/** Hands both sides' bytes on once it is clear that the server does not ask for another ClientHello, or what that says. */
const join = async (
  { client, upstream, hello }: Ends,
  { door, target }: { door: Door; target: Target },
): Promise<void> => {
  const { headMs, idleMs } = door.limits;
  upstream.setTimeout(idleMs, () => upstream.destroy());
  upstream.write(hello);
  const answer = await readUntil(upstream, { head: NOTHING, ms: idleMs, judge: asksForRetry });
  if (answer === null) return void upstream.end(() => client.destroy());
  client.write(answer.bytes);
  if (answer.found) {
    const judged = (bytes: Buffer) => judgeRetry(bytes, target);
    const again = await readUntil(client, { head: NOTHING, ms: headMs, judge: judged });
    if (again?.found !== "tls") {
      if (again !== null) door.refuse(targetText(target), "other-host");
      client.destroy();
      return;
    }
    upstream.write(again.bytes);
  }
  const end = (error: unknown): void => {
    if (error) {
      client.destroy();
      upstream.destroy();
    }
  };
  pipeline(client, door.meter(target), upstream, end);
  pipeline(upstream, door.meter(target), client, end);
};

const NOTHING = Buffer.alloc(0);

/** What begins a tunnel: TLS for the host that was asked for, plain HTTP, or what is refused. Null while that is not clear. */
const judge = (bytes: Buffer, { host }: Target): "tls" | "http" | RefusalReason | null => {
  const first = bytes[0];
  if (first === undefined) return null;
  if (first >= 0x41 && first <= 0x5a) return "http";
  const hello = readClientHello(bytes);
  if (hello.kind === "incomplete") return null;
  if (hello.kind === "invalid") return "no-tls";
  const { serverName, isHidden } = hello;
  const named = serverName === null ? null : readHost(serverName);
  // Addresses cannot be named (RFC 6066, section 3).
  const isIt = host.kind === "address" ? serverName === null : named !== null && sameHost(named, host);
  return isIt && !isHidden ? "tls" : "other-host";
};

/** The second ClientHello of a client: it has to name the same host. */
const judgeRetry = (bytes: Buffer, target: Target): ReturnType<typeof judge> =>
  mayBeginChangeCipherSpec(bytes) ? null : judge(withoutChangeCipherSpec(bytes), target);

const answer = (client: Duplex, status: string, text: string): void => {
  const length = Buffer.byteLength(text);
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
};
