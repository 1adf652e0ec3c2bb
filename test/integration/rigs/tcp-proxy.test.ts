import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../rigs/free-port.ts";
import { type TcpProxy, tcpProxy } from "../../rigs/tcp-proxy.ts";

const eventually = (read: () => unknown) => expect.poll(read, { timeout: 30_000 });

type EchoServer = { url: string; heard: () => string; server: Server; accepted: Socket[] };

/** Answers with what it hears, and a client's end with `bye`. */
const echoServer = async (): Promise<EchoServer> => {
  let heard = "";
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket);
    socket.on("data", (chunk) => {
      heard += chunk;
      socket.write(chunk);
    });
    socket.on("end", () => socket.end("bye"));
    socket.on("error", () => undefined);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `tcp://127.0.0.1:${port}`, heard: () => heard, server, accepted };
};

type Client = { socket: Socket; heard: () => string; failure: () => string | undefined };

const clientOf = (proxy: TcpProxy): Client => {
  let heard = "";
  let failure: string | undefined;
  const socket = connect({ host: "127.0.0.1", port: proxy.port, allowHalfOpen: true });
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    failure = error.code;
  });
  sockets.push(socket);
  return { socket, heard: () => heard, failure: () => failure };
};

let echo: EchoServer;
let proxy: TcpProxy;
const sockets: Socket[] = [];
beforeEach(async () => {
  echo = await echoServer();
  proxy = await tcpProxy(echo.url);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.close();
  echo.server.close();
});

describe("tcpProxy", () => {
  it("names the server as it is through the proxy", () => {
    expect(proxy.url("postgresql://me:secret@127.0.0.1:5432/db?a=b")).toBe(
      `postgresql://me:secret@127.0.0.1:${proxy.port}/db?a=b`,
    );
  });

  it("carries bytes both ways, and each side's end", async () => {
    const client = clientOf(proxy);

    client.socket.end("hello ");
    await once(client.socket, "end");

    expect(client.heard()).toBe("hello bye");
    client.socket.end();
    await eventually(() => proxy.connections).toBe(0);
  });

  it("carries more than any buffer holds, unchanged", async () => {
    const client = clientOf(proxy);
    const sent = Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`).join("");

    client.socket.end(sent);
    await once(client.socket, "end");

    expect(client.heard() === `${sent}bye`).toBe(true);
  });

  it("resets connections and refuses new ones when it is cut, until it passes again", async () => {
    const before = clientOf(proxy);
    before.socket.write("hello");
    await eventually(before.heard).toBe("hello");

    await proxy.cut();
    const during = clientOf(proxy);

    await eventually(before.failure).toBe("ECONNRESET");
    await eventually(during.failure).toBe("ECONNREFUSED");
    await proxy.pass();
    const after = clientOf(proxy);
    after.socket.write("again");
    await eventually(after.heard).toBe("again");
  });

  it("accepts and passes nothing on while it hangs, and all of it later", async () => {
    const before = clientOf(proxy);
    before.socket.write("one ");
    await eventually(before.heard).toBe("one ");

    await proxy.hang();
    before.socket.write("two ");
    const during = clientOf(proxy);
    await once(during.socket, "connect");
    during.socket.end("three ");
    // A connection past the proxy shows that the server would have answered by now.
    const direct = await tcpProxy(echo.url);
    const witness = clientOf(direct);
    witness.socket.write("four ");
    await eventually(witness.heard).toBe("four ");
    await direct.close();

    expect(echo.heard()).toBe("one four ");
    expect([before.failure(), during.failure(), during.heard()]).toEqual([undefined, undefined, ""]);
    await proxy.pass();
    await eventually(before.heard).toBe("one two ");
    await eventually(during.heard).toBe("three bye");
  });

  it("lets no client know that the server has gone while it hangs", async () => {
    const client = clientOf(proxy);
    client.socket.write("hello");
    await eventually(client.heard).toBe("hello");
    const closed = once(echo.server, "close");
    await proxy.hang();

    for (const socket of echo.accepted) socket.resetAndDestroy();
    echo.server.close();
    await closed;
    const other = clientOf(proxy);
    await once(other.socket, "connect");

    expect(client.failure()).toBeUndefined();
    await proxy.pass();
    await eventually(client.failure).toBe("ECONNRESET");
    await eventually(other.failure).toBe("ECONNRESET");
  });

  it("goes on slowly, and faster again when told", async () => {
    const client = clientOf(proxy);
    await proxy.slow(20);
    client.socket.write("slow ");
    await eventually(client.heard).toBe("slow ");

    await proxy.slow(3_600_000);
    const arrived = new Promise((resolve) => proxy.onData(resolve));
    client.socket.write("never ");
    await arrived;
    const meanwhile = client.heard();
    await proxy.pass();

    expect(meanwhile).toBe("slow ");
    await eventually(client.heard).toBe("slow never ");
  });

  it("holds a chunk, in either direction, for as long as a listener wants", async () => {
    const client = clientOf(proxy);
    const seen: string[] = [];
    const go = { "to-server": Promise.withResolvers<void>(), "to-client": Promise.withResolvers<void>() };
    const remove = proxy.onData((direction, chunk, { id }) => {
      seen.push(`${id} ${direction} ${chunk}`);
      return go[direction].promise;
    });

    client.socket.write("hello");
    await eventually(() => seen).toEqual(["1 to-server hello"]);
    const heardByServer = echo.heard();
    go["to-server"].resolve();
    await eventually(() => seen).toEqual(["1 to-server hello", "1 to-client hello"]);
    const heardByClient = client.heard();
    go["to-client"].resolve();

    await eventually(client.heard).toBe("hello");
    expect([heardByServer, heardByClient]).toEqual(["", ""]);
    remove();
    client.socket.write(" again");
    await eventually(client.heard).toBe("hello again");
    expect(seen).toHaveLength(2);
  });

  it("lets a listener cut one connection after the server has heard and before the client knows", async () => {
    const [one, other] = [clientOf(proxy), clientOf(proxy)];
    proxy.onData((direction, chunk, connection) => {
      if (direction === "to-client" && String(chunk) === "commit") connection.destroy();
    });

    one.socket.write("commit");
    await eventually(one.failure).toBe("ECONNRESET");
    other.socket.write("hello");

    await eventually(other.heard).toBe("hello");
    expect([echo.heard(), one.heard()]).toEqual(["commithello", ""]);
  });

  it("tells at the end what listeners threw", async () => {
    const throwing = await tcpProxy(echo.url);
    throwing.onData(() => {
      throw new Error("unexpected");
    });
    const client = clientOf(throwing);

    client.socket.write("hello");
    await eventually(client.failure).toBe("ECONNRESET");

    await expect(throwing.close()).rejects.toMatchObject({ errors: [new Error("unexpected")] });
  });
});
