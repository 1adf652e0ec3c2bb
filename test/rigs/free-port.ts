import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 that nobody listens on, below the ones that systems give to outgoing connections: a server may
 * leave it and come back, and a client that tries meanwhile never reaches itself.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    const closed = once(server, "close");
    server.close();
    await closed;
    return port;
  }
};
