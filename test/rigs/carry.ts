import type { Socket } from "node:net";

type Before = (chunk: Buffer) => Promise<void>;

/**
 * Carries bytes, ends and failures between two sockets until both directions are done. Bytes wait for `toServer` or
 * `toClient`, everything else for `passed`.
 */
export const carry = async (
  { client, server }: { client: Socket; server: Socket },
  { toServer, toClient, passed }: { toServer: Before; toClient: Before; passed: () => Promise<void> },
): Promise<void> => {
  const oneWay = async (from: Socket, to: Socket, before: Before): Promise<void> => {
    // A failure in here is a reset for both, below, and not an end of `from`.
    for await (const chunk of from.iterator({ destroyOnReturn: false })) {
      await before(chunk as Buffer);
      await write(to, chunk as Buffer);
    }
    await passed();
    to.end();
  };
  try {
    await Promise.all([oneWay(client, server, toServer), oneWay(server, client, toClient)]);
  } catch {
    // One side has gone without a goodbye: that is what the other is to see, too.
    await passed();
    reset(client, server);
  }
};

export const reset = (...sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.resetAndDestroy();
};

const write = (socket: Socket, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
