import { open, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { type Door, makeDoor, type ProxyLimits, proxyLimits } from "./door.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Target } from "./host-name.ts";
import type { Ways } from "./open-target.ts";
import type { Refusal } from "./refusal.ts";
import { openTunnel } from "./tunnel.ts";

export type Proxy = { refused(): readonly Refusal[]; close(): Promise<void> };

/** How often heads that are late are looked for. */
const LATE_MS = 1_000;

/**
 * An HTTP proxy (CONNECT, and requests in absolute form) on a unix socket that it makes in an existing directory, whatever
 * the length of its path. It reaches what `ways` let it, and nothing of itself. Closed, it ends all that goes through it.
 */
export const openProxy = async (
  socket: string,
  { limits, log, ...ways }: Ways & { log: Log; limits?: Partial<ProxyLimits> },
): Promise<Proxy> => {
  const door = makeDoor(ways, { ...proxyLimits, ...limits });
  const clients = new Set<Duplex>();
  const server = proxyServer(door, { clients, log });
  await rm(socket, { force: true });
  const directory = await open(dirname(socket));
  // A socket's address has room for 107 bytes.
  await listen(server, `/proc/self/fd/${directory.fd}/${socket.slice(dirname(socket).length + 1)}`);
  return {
    refused: () => door.refused(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const client of clients) client.destroy();
      await closed;
      await directory.close();
    },
  };
};

/** Whoever gets at the socket may connect: the way to it is what is closed. */
const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, readableAll: true, writableAll: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });

const proxyServer = (door: Door, { clients, log }: { clients: Set<Duplex>; log: Log }): Server => {
  const { limits } = door;
  /** The hosts of tunnels in which plain HTTP is spoken. */
  const insides = new WeakMap<Duplex, Target>();
  const failed = (client: Duplex) => (error: unknown) => {
    log.error({ error: messageOf(error) }, "a connection through the proxy failed");
    client.destroy();
  };
  const server = createServer({
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: LATE_MS,
    requestTimeout: limits.idleMs,
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.setTimeout(limits.idleMs);
  server.on("connection", (client: Duplex) => {
    clients.add(client);
    client.once("close", () => clients.delete(client));
    client.on("error", () => client.destroy());
  });
  server.on("drop", () => door.refuse("?", "too-much"));
  server.on("request", (incoming, response) => {
    const within = insides.get(incoming.socket) ?? null;
    void forwardRequest(incoming, response, { door, within }).catch(failed(incoming.socket));
  });
  server.on("connect", (incoming, client: Duplex, head: Buffer) => {
    if (insides.has(client)) {
      door.refuse("?", "malformed");
      client.destroy();
      return;
    }
    const serve = (inside: Duplex, target: Target): void => {
      insides.set(inside, target);
      server.emit("connection", inside as Socket);
      inside.resume();
    };
    void openTunnel(incoming, { client, head }, { door, serve }).catch(failed(client));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, client: Duplex) => {
    // All else is a connection that ended, or took too long.
    const text = error.code?.startsWith("HPE_") ? door.refuse("?", "malformed") : "";
    if (client.writable) client.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n${text}`);
    else client.destroy();
  });
  return server;
};
