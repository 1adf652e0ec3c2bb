import { once } from "node:events";
import { createServer } from "node:net";
import { freePort } from "./free-port.ts";
import { type GateMode, newGate } from "./gate.ts";
import { type DataListener, proxiedConnections, SOCKET } from "./proxied-connections.ts";

export type TcpProxy = {
  port: number;
  /** `of`, a URL of the server, as it is through the proxy. */
  url(of: string): string;
  /** How many connections it carries now. */
  readonly connections: number;
  /** Resets all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps all connections, accepts new ones and passes nothing on: no byte, no end, no failure. */
  hang(): Promise<void>;
  /** Passes each chunk, and each end, on `ms` later. */
  slow(ms: number): Promise<void>;
  /** Passes everything on at once, first what hung. */
  pass(): Promise<void>;
  /** Adds a listener; returns what removes it. */
  onData(listener: DataListener): () => void;
  /** Ends everything; fails with what listeners threw. */
  close(): Promise<void>;
};

export type TcpProxyOptions = {
  /** Default: 127.0.0.1. */
  listenOn?: string;
};

/** A proxy that fails as networks do, before the server that the URL names. While that is down, it resets. */
export const tcpProxy = async (
  target: string,
  { listenOn = "127.0.0.1" }: TcpProxyOptions = {},
): Promise<TcpProxy> => {
  const gate = newGate();
  const connections = proxiedConnections(new URL(target), { gate });
  const port = await freePort();
  const door = createServer(SOCKET, (client) => {
    if (door.listening) connections.serve(client);
    else client.resetAndDestroy();
  });
  const change = async (mode: GateMode): Promise<void> => {
    gate.set(mode);
    if (door.listening) return;
    door.listen(port, listenOn);
    await once(door, "listening");
  };
  const cut = async (): Promise<void> => {
    const closed = door.listening ? once(door, "close") : undefined;
    door.close();
    connections.reset();
    // What waited at the gate finds its connection gone.
    gate.set({ kind: "open" });
    await closed;
  };
  await change({ kind: "open" });
  return {
    port,
    url: (of) => {
      const url = new URL(of);
      url.host = `${listenOn}:${port}`;
      return url.href;
    },
    get connections() {
      return connections.count;
    },
    cut,
    hang: () => change({ kind: "shut" }),
    slow: (ms) => change({ kind: "slow", ms }),
    pass: () => change({ kind: "open" }),
    onData: (listener) => {
      connections.listeners.add(listener);
      return () => connections.listeners.delete(listener);
    },
    close: async () => {
      await cut();
      if (connections.thrown.length > 0) throw new AggregateError(connections.thrown, "a listener threw");
    },
  };
};
