import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Network } from "../../../src/workspace/sandbox/sandbox.ts";
import { helloOf, serverNames } from "../../fixtures/client-hellos.ts";
import {
  type ProxyBench,
  type ProxyBenchOptions,
  PUBLIC,
  proxyBench,
  say,
  toProxy,
} from "../../fixtures/proxy-bench.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { type WebOrigin, webOrigin, webProgramsAreHere } from "../../rigs/web-origin.ts";

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(!webProgramsAreHere())("the network's proxy", () => {
  let origin: WebOrigin;
  let bench: ProxyBench;
  const open = async (change: Partial<ProxyBenchOptions> = {}): Promise<void> => {
    bench = await proxyBench({
      network: ["example.org", "*.example.org"],
      answer: (name) => (name.endsWith("example.org") ? [PUBLIC] : undefined),
      leadsTo: (_, port) => (port === 443 ? origin.ports.https : origin.ports.http),
      ...change,
    });
  };
  beforeEach(async () => {
    origin = await webOrigin(["example.org", "www.example.org"], (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        if (request.url === "/away") response.writeHead(302, { Location: "http://169.254.169.254/" });
        if (request.url === "/large") return response.end(Buffer.alloc(1_000_000, "x"));
        response.end(`${JSON.stringify(request.rawHeaders)} ${digest(Buffer.concat(chunks))}`);
      });
    });
  });
  afterEach(async () => {
    await bench.close();
    await origin.close();
  });
  const ask = (...pieces: (string | Buffer)[]): Promise<string> =>
    bench.during((network) => say(toProxy(network), pieces));

  it("sends a request on to the host that it names, without what is for the proxy alone", async () => {
    await open();

    const answered = await ask(
      "GET http://EXAMPLE.org.:80/a?b=1 HTTP/1.1\r\nHost: example.ORG\r\nX-Kept: 1\r\nConnection: close, X-Dropped\r\n" +
        "X-Dropped: 2\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\n\r\n",
    );

    expect(answered).toMatch(/^HTTP\/1\.1 200 /);
    expect(answered).toContain('["X-Kept","1","Host","example.org","Connection","close"]');
    expect(origin.requests).toEqual(["GET http://example.org/a?b=1"]);
    expect(bench.dialled).toEqual([`${PUBLIC}:80`]);
    expect(bench.refused).toEqual([]);
  });

  it.each([
    ["of a known length", (body: Buffer) => [`Content-Length: ${body.length}`, body] as const],
    [
      "in chunks",
      (body: Buffer) =>
        [
          "Transfer-Encoding: chunked",
          Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]),
        ] as const,
    ],
  ])("sends large bodies %s on whole, one after the other, in a tunnel and without one", async (_, sent) => {
    await open();
    const bodies = [randomBytes(700_000), randomBytes(300_000)];
    const requests = (target: string): Buffer[] =>
      bodies.map((body) => {
        const [header, bytes] = sent(body);
        return Buffer.concat([
          Buffer.from(`POST ${target} HTTP/1.1\r\nHost: example.org\r\n${header}\r\n\r\n`),
          bytes,
        ]);
      });

    const plain = await ask(...requests("http://example.org/"));
    const tunnelled = await ask(
      "CONNECT example.org:80 HTTP/1.1\r\nHost: example.org:80\r\n\r\n",
      ...requests("/"),
    );

    for (const body of bodies)
      for (const answered of [plain, tunnelled]) expect(answered).toContain(digest(body));
    expect(bench.refused).toEqual([]);
  });

  it("follows no redirect", async (context) => {
    countAttempts(context, "network: redirects");
    await open();

    expect(
      await ask("GET http://example.org/away HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"),
    ).toMatch(/^HTTP\/1\.1 302 [\s\S]*Location: http:\/\/169\.254\.169\.254\//i);
    expect(bench.dialled).toEqual([`${PUBLIC}:80`]);
  });

  it("says in words what it refuses, and counts it by host", async () => {
    await open({ repositoryNetwork: "none" });
    const get = (host: string): string =>
      `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

    const answered = await bench.during(
      async (network) => [
        await say(toProxy(network), [get("registry.test")]),
        await say(toProxy(network), [get("registry.test")]),
        await say(toProxy(network), [get("registry.npmjs.org")]),
        await say(toProxy(network), ["CONNECT registry.test:443 HTTP/1.1\r\n\r\n"]),
        await say(toProxy(network), [get("gone.example.com")]),
      ],
      {},
      ["npm"],
    );

    expect(answered[0]).toMatch(
      /^HTTP\/1\.1 403 [\s\S]*uwf's proxy: registry\.test:80 is not allowed here\. .*`network`/,
    );
    expect(answered[2]).toContain(
      "registry.npmjs.org:80 is in the repository's `network`, but this server does not allow it.",
    );
    expect(answered[3]).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*registry\.test:443 is not allowed here/);
    expect(bench.refused).toEqual([
      { target: "registry.test:80", reason: "not-allowed", count: 2 },
      { target: "registry.npmjs.org:80", reason: "withheld", count: 1 },
      { target: "registry.test:443", reason: "not-allowed", count: 1 },
      { target: "gone.example.com:80", reason: "not-allowed", count: 1 },
    ]);
  });

  it("says when a host is not there, which is nobody's refusal", async () => {
    await open({ answer: () => undefined });

    expect(await ask("CONNECT example.org:443 HTTP/1.1\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*example\.org was not found/,
    );
    expect(bench.refused).toEqual([]);
  });

  it("reaches of this machine what the operator names, and not the port beside it", async () => {
    const local = createServer((_, response) => response.end("a local model")).listen(0, "127.0.0.1");
    await once(local, "listening");
    const { port } = local.address() as { port: number };
    await open({ internal: [`127.0.0.1:${port}`], leadsTo: (_, at) => at });
    const get = (at: number): string =>
      `GET http://127.0.0.1:${at}/ HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\nConnection: close\r\n\r\n`;

    expect(await ask(get(port))).toContain("a local model");
    expect(await ask(get(origin.ports.http))).toContain("403");
    local.close();
  });

  it("gives a command whose lists are empty no network, and one that may reach everything the machine's", async () => {
    await open({ network: [] });
    const kindOf = (network: Network) => Promise.resolve(network.kind);

    expect(await bench.during(kindOf)).toBe("none");
    expect(await bench.during(kindOf, {}, ["npm"])).toBe("proxy");
    expect(await bench.during(kindOf, { operator: { hosts: ["*"], internal: [] } })).toBe("host");
  });

  describe("where a server asks for another ClientHello", () => {
    const HELLO_RETRY = Buffer.concat([
      Buffer.from([22, 3, 3, 0, 58, 2, 0, 0, 54, 3, 3]),
      Buffer.from("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "hex"),
      Buffer.alloc(20),
    ]);
    const CHANGE_CIPHER_SPEC = Buffer.from([20, 3, 3, 0, 1, 1]);
    const helloTo = (name: string): Buffer => helloOf([serverNames([0, name])]);

    it("lets real programs answer it", async () => {
      const server = createTlsServer(
        { key: readFileSync(origin.key), cert: readFileSync(origin.authority), ecdhCurve: "P-256" },
        (socket) => socket.end("agreed"),
      ).listen(0, "127.0.0.1");
      await once(server, "listening");
      await open({ leadsTo: () => (server.address() as AddressInfo).port });

      const heard = await bench.during(async (network) => {
        const socket = toProxy(network);
        socket.write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
        await once(socket, "data");
        const secure = connectTls({
          ...{ socket, servername: "example.org", ca: readFileSync(origin.authority) },
          ecdhCurve: "X25519:P-256",
        });
        return text(secure);
      });

      expect(heard).toBe("agreed");
      expect(bench.refused).toEqual([]);
      server.close();
    });

    it.each([
      ["for another host", [helloTo("evil.test")]],
      ["for another host, behind what goes before it", [CHANGE_CIPHER_SPEC, helloTo("evil.test")]],
      [
        "for another host, in pieces",
        [
          CHANGE_CIPHER_SPEC.subarray(0, 3),
          CHANGE_CIPHER_SPEC.subarray(3),
          helloOf([serverNames([0, "evil.test"])], 7),
        ],
      ],
      ["for no host", [helloOf([])]],
      ["as something else", [Buffer.from([23, 3, 3, 0, 2, 1, 0])]],
    ])("lets through no second one %s", async (_, second) => {
      const received: Buffer[] = [];
      const server = createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.on("data", (chunk) => {
          if (received.push(chunk) === 1) socket.write(HELLO_RETRY);
        });
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      await open({ leadsTo: () => (server.address() as AddressInfo).port });

      await ask("CONNECT example.org:443 HTTP/1.1\r\n\r\n", helloTo("example.org"), ...second);

      expect(Buffer.concat(received)).toEqual(helloTo("example.org"));
      expect(bench.refused).toEqual([{ target: "example.org:443", reason: "other-host", count: 1 }]);
      server.close();
    });
  });

  it("hands everything on to a program that reads slowly, also when the server has ended", async () => {
    await open();

    const bytes = await bench.during(async (network) => {
      const socket = toProxy(network);
      socket.write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
      await once(socket, "data");
      const secure = connectTls({ socket, servername: "example.org", ca: readFileSync(origin.authority) });
      secure.write("GET /large HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
      let length = 0;
      for await (const chunk of secure) {
        length += (chunk as Buffer).length;
        await new Promise((resolve) => {
          setTimeout(resolve, 3);
        });
      }
      return length;
    });

    expect(bytes).toBeGreaterThan(1_000_000);
  });

  describe("holds back", () => {
    it("connections beyond its limit, and goes on when they end", async (context) => {
      countAttempts(context, "network: resources", 40);
      await open({ limits: { connections: 8 } });

      await bench.during(async (network) => {
        const many: Socket[] = Array.from({ length: 40 }, () => toProxy(network));
        const ends = many.map((socket) =>
          once(
            socket.on("error", () => undefined),
            "close",
          ),
        );
        await Promise.race(ends);
        await expect.poll(() => many.filter(({ closed }) => !closed).length).toBe(8);
        for (const socket of many) socket.destroy();
        await Promise.all(ends);
        expect(
          await say(toProxy(network), [
            "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n",
          ]),
        ).toContain("200");
      });

      expect(bench.refused).toEqual([{ target: "?", reason: "too-much", count: 32 }]);
    });

    it.each([
      ["a head that comes byte by byte", "GET http://example.org/ HTTP/1.1\r\nX: "],
      ["a tunnel in which nothing is said", "CONNECT example.org:443 HTTP/1.1\r\n\r\n"],
      ["a tunnel in which TLS does not go on", "CONNECT example.org:443 HTTP/1.1\r\n\r\n\x16\x03\x01\x02"],
      ["a connection on which nothing is said", ""],
    ])("%s", async (_, begun) => {
      await open({ limits: { headMs: 300 } });

      await bench.during(async (network) => {
        const socket = toProxy(network).on("error", () => undefined);
        socket.write(begun, "latin1");
        const drip = setInterval(() => begun.startsWith("GET") && socket.write("x"), 50);
        socket.resume();
        await once(socket, "close");
        clearInterval(drip);
      });

      expect(origin.requests).toEqual([]);
    });

    it("more bytes than a command may have", async (context) => {
      countAttempts(context, "network: resources");
      await open({ limits: { bytes: 100_000 } });

      const answered = await ask("GET http://example.org/large HTTP/1.1\r\nHost: example.org\r\n\r\n");

      expect(answered.length).toBeLessThan(110_000);
      expect(bench.refused).toEqual([{ target: "example.org:80", reason: "too-much", count: 1 }]);
    });

    it("what it has opened for somebody who has gone meanwhile", async () => {
      const held = createTcpServer().listen(0, "127.0.0.1");
      await once(held, "listening");
      const { port } = held.address() as AddressInfo;
      const dialling = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      await open({
        leadsTo: async () => {
          dialling.resolve();
          await gone.promise;
          return port;
        },
      });
      const upstream = once(held, "connection");

      await bench.during(async (network) => {
        const socket = toProxy(network);
        socket.write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
        await dialling.promise;
        socket.destroy();
        // By the time that this is answered, the proxy knows.
        await say(toProxy(network), ["GET / HTTP/1.1\r\n\r\n"]);
        gone.resolve();
        const [connected] = (await upstream) as [Socket];
        if (!connected.resume().closed) await once(connected, "close");
      });

      held.close();
    });

    it("everything when the command is over", async () => {
      await open();
      let socket: Socket | undefined;
      let path = "";

      await bench.during(async (network) => {
        if (network.kind === "proxy") path = network.socket;
        socket = toProxy(network);
        socket.write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
        await once(socket, "data");
      });

      if (!socket?.closed) await once(socket as Socket, "close");
      const again = connect(path);
      expect(await once(again, "error")).toMatchObject([{ code: "ENOENT" }]);
    });
  });
});
