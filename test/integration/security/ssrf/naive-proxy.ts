import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Dial } from "../../../../src/workspace/network/open-target.ts";

type Ways = { resolve: (name: string) => Promise<readonly string[]>; dial: Dial };

/** A proxy as one writes it in ten minutes: what it lets through is what there is to hold. */
export const naiveProxy = async ({
  resolve,
  dial,
}: Ways): Promise<{ port: number; close(): Promise<void> }> => {
  const open = async (url: URL): Promise<Socket> => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const [address = ""] = /^[\d.]+$|:/.test(host) ? [host] : await resolve(host);
    return dial({ address, port: Number(url.port || 80) });
  };
  const server = createServer(
    { insecureHTTPParser: true, requireHostHeader: false },
    async (incoming, response) => {
      try {
        const url = new URL(incoming.url ?? "", `http://${incoming.headers.host}`);
        const socket = await open(url);
        const outgoing = request({
          createConnection: () => socket,
          method: incoming.method,
          path: url.pathname,
        });
        outgoing.once("response", (answer) => answer.pipe(response));
        outgoing.once("error", () => response.destroy());
        outgoing.end();
      } catch {
        response.writeHead(502).end();
      }
    },
  );
  server.on("connect", async (incoming, client: Socket, head: Buffer) => {
    client.on("error", () => undefined);
    try {
      const upstream = await open(new URL(`http://${incoming.url}`));
      upstream.on("error", () => client.destroy());
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    } catch {
      client.destroy();
    }
  });
  const clients = new Set<Socket>();
  server.on("connection", (client) => clients.add(client));
  server.on("clientError", (_, client) => client.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
