import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRunning } from "../../fixtures/is-running.ts";
import { type NetworkNamespace, namespacesAreHere, networkNamespace } from "../../rigs/network-namespace.ts";
import { postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";
import { redisIsHere, redisServer } from "../../rigs/redis-server.ts";

/** Says `connected`, or the failure's code, and passes its input on. */
const CLIENT = `
  const [host, port] = process.argv.slice(1);
  const socket = require("node:net").connect({ host, port });
  socket.on("connect", () => console.log("connected"));
  socket.on("error", (error) => console.log(error.code));
  process.stdin.on("data", (chunk) => socket.write(chunk, () => console.log("wrote")));
`;

const eventually = (read: () => unknown) => expect.poll(read, { timeout: 50_000 });

type Client = { child: ChildProcess; said: () => string };

let namespace: NetworkNamespace;
let server: Server;
let heard: string;

const listening = async (host: string): Promise<number> => {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const clientInside = (host: string, port: number): Client => {
  const child = namespace.spawn([process.execPath, "-e", CLIENT, host, String(port)]);
  let said = "";
  child.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  return { child, said: () => said };
};

const outputOf = async (argv: readonly string[]): Promise<string> => {
  const child = namespace.spawn(argv, { stdio: ["ignore", "pipe", "inherit"] });
  return child.stdout === null ? "" : text(child.stdout);
};

describe.skipIf(!namespacesAreHere())("networkNamespace", () => {
  beforeEach(async () => {
    heard = "";
    server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        heard += chunk;
      });
    });
    namespace = await networkNamespace();
  });
  afterEach(async () => {
    await namespace.dispose();
    server.close();
  });

  it("reaches a server on the host's address", async () => {
    const client = clientInside(namespace.hostAddress, await listening(namespace.hostAddress));

    client.child.stdin?.write("hello");

    await eventually(() => heard).toBe("hello");
  });

  it("has a loopback of its own", async () => {
    const client = clientInside("127.0.0.1", await listening("127.0.0.1"));

    await eventually(client.said).toBe("ECONNREFUSED\n");
  });

  it("loses what is sent while it is cut, without a sign, and goes on when it is healed", async () => {
    const port = await listening(namespace.hostAddress);
    const client = clientInside(namespace.hostAddress, port);
    await eventually(client.said).toBe("connected\n");

    await namespace.cut();
    client.child.stdin?.write("lost ");
    await eventually(client.said).toBe("connected\nwrote\n");
    // A connection from this side shows that the server is still there for others.
    const witness = connect({ host: namespace.hostAddress, port });
    witness.end("witness ");
    await eventually(() => heard).toBe("witness ");
    expect(client.said()).toBe("connected\nwrote\n");
    await namespace.heal();

    await eventually(() => heard).toBe("witness lost ");
    expect(client.said()).toBe("connected\nwrote\n");
  });

  it("lets nobody connect while it is cut", async () => {
    const port = await listening(namespace.hostAddress);
    await namespace.cut();

    const script = `require("node:net").connect({ host: process.argv[1], port: process.argv[2], timeout: 300 })
      .on("connect", () => console.log("connected")).on("error", (error) => console.log(error.code))
      .on("timeout", function () { console.log("timeout"); this.destroy(); })`;
    const said = await outputOf([process.execPath, "-e", script, namespace.hostAddress, String(port)]);

    expect(said).toBe("timeout\n");
  });

  it("stands beside others that have other addresses", async () => {
    const other = await networkNamespace();

    expect(other.hostAddress).not.toBe(namespace.hostAddress);
    await other.dispose();
  });

  it("leaves neither processes nor a link behind", async () => {
    const child = namespace.spawn(["sh", "-c", "sleep 1000 & echo $!; wait"]);
    const [line] = await once(child.stdout ?? child, "data");
    const ended = once(child, "exit");

    await namespace.dispose();
    await ended;

    await eventually(() => isRunning(Number(line))).toBe(false);
    expect(spawnSync("ip", ["addr"], { encoding: "utf8" }).stdout).not.toContain(namespace.hostAddress);
  });

  it.skipIf(!redisIsHere())("reaches a Redis that listens there as well", async () => {
    const redis = await redisServer({ alsoOn: namespace.hostAddress });

    const said = await outputOf(["redis-cli", "-u", namespace.url(redis.url), "ping"]);

    expect(said).toBe("PONG\n");
    await redis.dispose();
  });

  it.skipIf(!postgresIsHere())("reaches a PostgreSQL that listens there as well", async () => {
    const postgres = await postgresServer({ alsoOn: namespace.hostAddress });

    const script = `import pg from "pg";
      const client = new pg.Client(process.argv[1]);
      await client.connect();
      console.log((await client.query("SELECT current_user AS name")).rows[0].name);
      await client.end();`;
    const url = namespace.url(await postgres.database());
    const said = await outputOf([process.execPath, "--input-type=module", "-e", script, url]);

    expect(said).toBe("uwf\n");
    await postgres.dispose();
  });
});
