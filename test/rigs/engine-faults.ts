import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";

export type EngineFaults = {
  socket: string;
  /** Answers the next `times` requests with 500 whose method and path match; returns how many of them came. */
  refuse(matching: RegExp, times?: number): () => number;
  /** Passes every request on again. */
  relent(): void;
  /** Breaks all connections, in the middle of what they carry. */
  cut(): void;
  /** Resolves when a request has come whose method and path match. */
  asked(matching: RegExp): Promise<void>;
  dispose(): Promise<void>;
};

type Refusal = { matching: RegExp; left: number; came: number };

/** A socket before a container engine's own, on which requests fail. */
export const engineFaults = async (engine: string): Promise<EngineFaults> => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-faults-"));
  const socket = join(directory, "docker.sock");
  const open = new Set<Duplex>();
  let refusals: Refusal[] = [];
  const awaited: { matching: RegExp; tell(): void }[] = [];

  const kept = <T extends Duplex>(one: T): T => {
    open.add(one);
    one.on("error", () => undefined);
    one.on("close", () => open.delete(one));
    return one;
  };
  const passOn = (asked: IncomingMessage) => {
    const { url, method, headers } = asked;
    return request({ socketPath: engine, path: url ?? "/", method: method ?? "GET", headers, agent: false });
  };
  const answer = (asked: IncomingMessage, given: ServerResponse): void => {
    const what = `${asked.method} ${asked.url}`;
    for (const { matching, tell } of awaited) if (matching.test(what)) tell();
    const refusal = refusals.find(({ matching, left }) => left > 0 && matching.test(what));
    if (refusal !== undefined) {
      refusal.left--;
      refusal.came++;
      asked.resume();
      given.writeHead(500, { "content-type": "application/json" }).end('{"message":"an injected fault"}');
      return;
    }
    const passed = passOn(asked);
    passed.on("error", () => given.destroy());
    passed.on("response", (response) => {
      given.writeHead(response.statusCode ?? 500, response.headers);
      given.flushHeaders();
      response.pipe(given);
      response.on("error", () => given.destroy());
    });
    asked.pipe(passed);
  };
  const server = createServer(answer);
  server.on("connection", (one: Socket) => kept(one));
  server.on("upgrade", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    const passed = passOn(asked);
    passed.on("upgrade", (response: IncomingMessage, far: Duplex, first: Buffer) => {
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      client.write(`HTTP/1.1 101 UPGRADED\r\n${lines.join("")}\r\n`);
      client.write(first);
      kept(far).pipe(client).pipe(far);
    });
    passed.on("error", () => client.destroy());
    passed.on("response", (response) => {
      client.write(`HTTP/1.1 ${response.statusCode} refused\r\nconnection: close\r\n\r\n`);
      response.pipe(client);
    });
    client.unshift(head);
    readExactly(client, Number(asked.headers["content-length"] ?? 0)).then(
      (body) => passed.end(body),
      () => passed.destroy(),
    );
  });
  server.listen(socket);
  await once(server, "listening");
  const cut = (): void => {
    for (const one of open) one.destroy();
  };
  return {
    socket,
    refuse: (matching, times = Number.POSITIVE_INFINITY) => {
      const refusal = { matching, left: times, came: 0 };
      refusals.push(refusal);
      return () => refusal.came;
    },
    relent: () => {
      refusals = [];
    },
    cut,
    asked: (matching) => new Promise((tell) => awaited.push({ matching, tell })),
    dispose: async () => {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
      rmSync(directory, { recursive: true });
    },
  };
};

/** The body of a request that asks for an upgrade, which Node leaves unread; nothing that comes after it. */
const readExactly = async (stream: Duplex, bytes: number): Promise<Buffer> => {
  if (bytes === 0) return Buffer.alloc(0);
  for (;;) {
    const read = stream.read(bytes) as Buffer | null;
    if (read !== null) return read;
    await once(stream, "readable");
  }
};
