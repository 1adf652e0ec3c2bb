import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { messageOf } from "../../../src/base/errors.ts";

export type RigRequest = {
  method: string;
  /** Without the API's prefix and without the query. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

export type RigResponse = { status: number; headers: Record<string, string>; body: Buffer };

export type Handler = (request: RigRequest) => Promise<RigResponse | "cut">;

export const json = (status: number, value: unknown): RigResponse => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: Buffer.from(JSON.stringify(value)),
});

export const parsed = ({ body }: { body: Buffer }): unknown =>
  body.length === 0 ? undefined : JSON.parse(body.toString("utf8"));

/** An HTTP server on a free port of 127.0.0.1. */
export const listen = async (handler: Handler): Promise<{ origin: string; server: Server }> => {
  const server = createServer((incoming, response) => {
    read(incoming)
      .then(handler)
      .catch((error: unknown) => json(500, { message: `rig: ${messageOf(error)}` }))
      .then((answer) => {
        if (answer === "cut") return void response.destroy();
        response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length });
        response.end(answer.body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

const read = async (incoming: IncomingMessage): Promise<RigRequest> => {
  const url = new URL(incoming.url ?? "/", "http://rig.invalid");
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "GET",
    path: url.pathname.replace(/^\/api\/v3(?=\/|$)/, "") || "/",
    query: url.search.slice(1),
    headers: Object.fromEntries(headers),
    body: await buffer(incoming),
  };
};

export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
