import { connect, type Socket } from "node:net";
import { carry, reset } from "./carry.ts";
import type { Gate } from "./gate.ts";

export type ProxiedConnection = {
  /** 1 for the first that the proxy accepted. */
  id: number;
  /** Resets it on both sides. */
  destroy(): void;
};

/**
 * Sees each chunk before it is passed on, which waits for the promise. A chunk is what one read brought: a message of
 * the protocol above, several, or a part of one.
 */
export type DataListener = (
  direction: "to-server" | "to-client",
  chunk: Buffer,
  connection: ProxiedConnection,
) => void | Promise<void>;

export type ProxiedConnections = {
  /** Carries what the client says to the server and back, until one of them ends it. */
  serve(client: Socket): void;
  readonly count: number;
  reset(): void;
  listeners: Set<DataListener>;
  /** What listeners threw; their connections were reset. */
  thrown: readonly unknown[];
};

/** The connections of a proxy in front of `target`; the gate decides when anything passes. */
export const proxiedConnections = (target: URL, { gate }: { gate: Gate }): ProxiedConnections => {
  const listeners = new Set<DataListener>();
  const thrown: unknown[] = [];
  const open = new Set<ProxiedConnection>();
  let last = 0;

  const hear = async (...seen: Parameters<DataListener>): Promise<void> => {
    try {
      for (const listener of listeners) await listener(...seen);
    } catch (error) {
      thrown.push(error);
      throw error;
    }
  };
  const serve = async (client: Socket): Promise<void> => {
    const sockets = [guarded(client)];
    const connection: ProxiedConnection = { id: ++last, destroy: () => reset(...sockets) };
    open.add(connection);
    await gate.passed();
    if (!client.destroyed) {
      const server = guarded(connect({ host: target.hostname, port: Number(target.port), ...SOCKET }));
      sockets.push(server);
      const before = (direction: "to-server" | "to-client") => async (chunk: Buffer) => {
        await hear(direction, chunk, connection);
        await gate.passed();
      };
      await carry(
        { client, server },
        { toServer: before("to-server"), toClient: before("to-client"), passed: gate.passed },
      );
    }
    open.delete(connection);
  };
  return {
    serve: (client) => void serve(client),
    get count() {
      return open.size;
    },
    reset: () => {
      for (const connection of open) connection.destroy();
    },
    listeners,
    thrown,
  };
};

/** For both sides: an end in one direction leaves the other open, and small messages go at once. */
export const SOCKET = { allowHalfOpen: true, noDelay: true };

/** A failure is for whoever carries the bytes; without any listener it would end this process. */
const guarded = (socket: Socket): Socket => socket.on("error", () => undefined);
