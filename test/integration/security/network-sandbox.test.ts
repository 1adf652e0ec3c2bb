import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import type { CommandResult, SandboxCommand } from "../../../src/workspace/sandbox/sandbox.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type ProxyBench, PUBLIC, proxyBench } from "../../fixtures/proxy-bench.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { type WebOrigin, webOrigin, webProgramsAreHere } from "../../rigs/web-origin.ts";

/** Where the sandbox shows the Node that runs these tests. */
const NODE = "/run/uwf/2/node";

/** A registry's answer about a package of one version, and the package. */
const packageOf = (name: string): { json: string; tarball: Buffer } => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-package-"));
  mkdirSync(join(directory, "package"));
  writeFileSync(join(directory, "package/package.json"), JSON.stringify({ name, version: "1.0.0" }));
  writeFileSync(join(directory, "package/index.js"), 'module.exports = "from the registry";\n');
  execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: directory });
  const tarball = readFileSync(join(directory, "package.tgz"));
  rmSync(directory, { recursive: true });
  const dist = {
    tarball: `https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz`,
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
  };
  const versions = { "1.0.0": { name, version: "1.0.0", dist } };
  return { json: JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions }), tarball };
};

/** Tries to reach what it is told of, past the proxy, and says which of it answered. */
const PROBES = `
const net = require("node:net"), dgram = require("node:dgram"), dns = require("node:dns");
const tries = JSON.parse(process.argv[1]);
const within = (work) => Promise.race([work, new Promise((done) => setTimeout(done, 1500, "silence"))]);
const tcp = (options) => new Promise((done) => {
  const socket = net.connect(options);
  socket.on("connect", () => { socket.destroy(); done("reached"); });
  socket.on("error", (error) => done(error.code));
});
const udp = (host, port) => new Promise((done) => {
  const socket = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", () => { socket.close(); done("reached"); });
  socket.on("error", (error) => done(error.code));
  socket.send("hello", port, host, (error) => error && done(error.code));
});
const name = (host) => new Promise((done) => dns.lookup(host, (error) => done(error ? error.code : "reached")));
const asked = (host, server) => {
  const resolver = new dns.promises.Resolver({ timeout: 500, tries: 1 });
  if (server) resolver.setServers([server]);
  return resolver.resolve4(host).then(() => "reached", (error) => error.code);
};
const kinds = { tcp: (t) => tcp({ host: t.host, port: t.port }), unix: (t) => tcp({ path: t.path }), udp: (t) => udp(t.host, t.port), name: (t) => name(t.host), dns: (t) => asked(t.host, t.server) };
(async () => {
  const results = {};
  for (const each of tries) results[each.what] = await within(kinds[each.kind](each));
  console.log(JSON.stringify(results));
  process.exit();
})();
`;

describe.skipIf(!bubblewrapIsHere() || !webProgramsAreHere())(
  "a sandboxed command with a list of hosts",
  () => {
    const sandbox = bubblewrapSandbox({ memoryMb: 4096, processes: 256 });
    const packed = packageOf("uwf-test-package");
    let origin: WebOrigin;
    let bench: ProxyBench;
    beforeAll(async () => {
      origin = await webOrigin(["example.org", "registry.npmjs.org"], (request, response) => {
        if (request.url?.endsWith(".tgz")) return response.end(packed.tarball);
        if (request.url === "/away")
          response.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data/" });
        if (request.headers.host !== "registry.npmjs.org") return response.end("from the origin");
        response.setHeader("Content-Type", "application/json");
        response.end(packed.json);
      });
      bench = await proxyBench({
        network: ["example.org"],
        answer: (name) => (name === "inside.example.org" ? ["127.0.0.1"] : [PUBLIC]),
        leadsTo: (_, port) => (port === 443 ? origin.ports.https : origin.ports.http),
      });
    });
    afterAll(async () => {
      await bench.close();
      await origin.close();
    });
    const run = (
      argv: readonly string[],
      change: Partial<SandboxCommand> = {},
      repository: readonly string[] = [],
    ): Promise<CommandResult> => {
      bench.refused.length = 0;
      return bench.during(
        (network) =>
          sandbox.run({
            ...{ argv, cwd: "/tmp", network, timeoutMs: 50_000, maxOutputBytes: 50_000 },
            signal: new AbortController().signal,
            mounts: [{ source: dirname(origin.authority), target: "/authority", writable: false }],
            ...change,
            env: {
              ...{
                CURL_CA_BUNDLE: "/authority/authority.pem",
                NODE_EXTRA_CA_CERTS: "/authority/authority.pem",
              },
              ...{ SSL_CERT_FILE: "/authority/authority.pem", GIT_SSL_CAINFO: "/authority/authority.pem" },
              ...change.env,
            },
          }),
        {},
        repository,
      );
    };
    const bash = (script: string, change?: Partial<SandboxCommand>, repository?: readonly string[]) =>
      run(["bash", "-c", script], change, repository);

    it.each([
      ["curl, without TLS", "curl -sS http://example.org/"],
      ["curl, with TLS", "curl -sS https://example.org/"],
      ["curl, through a tunnel without TLS", "curl -sSp http://example.org/"],
      ["Node's fetch", `${NODE} -e 'fetch("https://example.org/").then((r) => r.text()).then(console.log)'`],
      [
        "Node's https",
        `${NODE} -e 'require("https").get("https://example.org/", (r) => r.pipe(process.stdout))'`,
      ],
      [
        "Node's http",
        `${NODE} -e 'require("http").get("http://example.org/", (r) => r.pipe(process.stdout))'`,
      ],
    ])("reaches a host of the list: %s", async (_, script) => {
      const { exitCode, output } = await bash(script);

      expect({ exitCode, output: output.trim() }).toEqual({ exitCode: 0, output: "from the origin" });
      expect(bench.refused).toEqual([]);
    });

    it("reaches it with git as well", async () => {
      const before = origin.requests.length;

      await bash("git ls-remote https://example.org/some.git");

      expect(origin.requests[before]).toBe(
        "GET https://example.org/some.git/info/refs?service=git-upload-pack",
      );
    });

    it("installs a package with npm where the repository asks for the preset", async () => {
      const { exitCode, output } = await bash(
        "npm init -y >/dev/null && npm install --no-audit --no-fund uwf-test-package && node -p 'require(\"uwf-test-package\")'",
        {},
        ["npm"],
      );

      expect({ exitCode, output }).toMatchObject({
        exitCode: 0,
        output: expect.stringContaining("from the registry"),
      });
      expect(bench.refused).toEqual([]);
    });

    it("installs nothing without it, and says which host it was", async () => {
      const { exitCode } = await bash(
        "npm init -y >/dev/null && npm install --fetch-retries=0 --no-audit --no-fund uwf-test-package",
      );

      expect(exitCode).not.toBe(0);
      expect(bench.refused).toMatchObject([{ target: "registry.npmjs.org:443", reason: "not-allowed" }]);
    });

    it("is led nowhere by what an allowed host answers, or by a name of another's certificate", async (context) => {
      const scripts = [
        "curl -sSL http://example.org/away",
        "curl -sSL --proto-redir =all https://example.org/away",
        "curl -sSk --connect-to ::example.org:443 https://evil.test/",
        "curl -sSk --resolve evil.test:443:127.0.0.1 https://evil.test/",
        "curl -sS -H 'Host: 169.254.169.254' http://example.org/",
        "curl -sS --proxy-header 'Host: evil.test' -H 'Host: evil.test' http://example.org/",
        "curl -sS http://inside.example.org/",
        "curl -sS --proxy http://127.0.0.1:61199 http://169.254.169.254/latest/meta-data/",
        "curl -sS --socks5-hostname 127.0.0.1:61199 http://169.254.169.254/",
        "curl -sSp telnet://example.org:22",
      ];
      countAttempts(context, "network: from a sandbox", scripts.length);

      for (const script of scripts) {
        const { output } = await bash(script);
        expect({ script, output }).not.toMatchObject({ output: expect.stringContaining("from the origin") });
        expect({ script, refused: bench.refused }).not.toEqual({ script, refused: [] });
      }
      expect(new Set(bench.dialled)).toEqual(new Set([`${PUBLIC}:80`, `${PUBLIC}:443`]));
    });

    it("reaches nothing past the proxy: no address, no name, no socket of this machine", async (context) => {
      const tcp = createServer((socket) => socket.on("error", () => undefined).end("hello")).listen(0, "::");
      const abstract = createServer((socket) => socket.destroy()).listen(`\0uwf-test-${process.pid}`);
      const directory = mkdtempSync(join(tmpdir(), "uwf-socket-"));
      const file = createServer((socket) => socket.destroy()).listen(join(directory, "socket"));
      const udp = createSocket("udp6", (message, from) => udp.send(message, from.port, from.address));
      udp.bind(0, "::");
      await Promise.all([
        once(tcp, "listening"),
        once(abstract, "listening"),
        once(file, "listening"),
        once(udp, "listening"),
      ]);
      const { port } = tcp.address() as AddressInfo;
      const own = Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).map(({ address, scopeid }) => (scopeid ? "::1" : address)),
      );
      const here = [...new Set(["127.0.0.1", "::1", ...own])];
      const probes = [
        ...here.map((host) => ({ what: `TCP to ${host}`, kind: "tcp", host, port })),
        ...here.map((host) => ({ what: `UDP to ${host}`, kind: "udp", host, port: udp.address().port })),
        { what: "an abstract socket", kind: "unix", path: `\0uwf-test-${process.pid}` },
        { what: "a socket in a directory", kind: "unix", path: join(directory, "socket") },
        { what: "a name", kind: "name", host: "example.org" },
        { what: "a name by a name server", kind: "dns", host: "example.org", server: "1.1.1.1" },
        { what: "a name by the machine's name server", kind: "dns", host: "example.org" },
        ...["1.1.1.1", "169.254.169.254", "10.0.0.1", "2606:4700:4700::1111"].map((host) => ({
          what: `TCP to ${host}`,
          kind: "tcp",
          host,
          port: 80,
        })),
        ...["8.8.8.8", "224.0.0.251", "255.255.255.255"].map((host) => ({
          what: `UDP to ${host}`,
          kind: "udp",
          host,
          port: 53,
        })),
        ...[
          "/run/docker.sock",
          "/run/dbus/system_bus_socket",
          "/run/systemd/private",
          "/var/run/docker.sock",
        ].map((path) => ({ what: path, kind: "unix", path })),
      ];
      countAttempts(context, "network: past the proxy", probes.length);

      const { stdout } = await promisify(execFile)(process.execPath, ["-e", PROBES, JSON.stringify(probes)]);
      const outside = JSON.parse(stdout);
      const inside = JSON.parse((await run([NODE, "-e", PROBES, JSON.stringify(probes)])).output);

      const reached = (results: Record<string, string>) =>
        Object.keys(results).filter((what) => results[what] === "reached");
      expect(reached(outside)).toEqual(
        expect.arrayContaining([
          "TCP to 127.0.0.1",
          "TCP to ::1",
          "UDP to 127.0.0.1",
          "an abstract socket",
          "a socket in a directory",
        ]),
      );
      expect(Object.keys(inside)).toHaveLength(probes.length);
      expect(reached(inside)).toEqual([]);
      for (const server of [tcp, abstract, file]) server.close();
      udp.close();
      rmSync(directory, { recursive: true });
    });

    it("has a loopback of its own to test on, and keeps its exit code, signals and streams", async () => {
      const script = `${NODE} -e 'const s = require("http").createServer((q, r) => r.end("own")).listen(8080, () => fetch("http://127.0.0.1:8080").then((r) => r.text()).then((t) => { console.log(t); s.close(); }))'`;

      expect(await bash(script)).toMatchObject({ exitCode: 0, output: "own\n" });
      expect((await bash("exit 7")).exitCode).toBe(7);
      expect((await bash("kill -9 $$")).exitCode).toBe(137);
      expect((await run(["no-such-program"])).exitCode).toBe(127);
      expect((await bash("cat", { stdin: "given" })).output).toBe("given");
      expect(await bash("sleep 60", { timeoutMs: 2_000 })).toMatchObject({ timedOut: true });
    });

    it("sees of this machine's loopback what the operator names, at its own port", async () => {
      const model = createServer((socket) =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nmodel"),
      ).listen(0, "127.0.0.1");
      await once(model, "listening");
      const { port } = model.address() as AddressInfo;
      const local = await proxyBench({
        answer: () => undefined,
        internal: [`localhost:${port}`],
        leadsTo: (_, at) => at,
      });
      const { output } = await local.during((network) =>
        sandbox.run({
          argv: ["curl", "-sS", `http://localhost:${port}/`, `http://127.0.0.1:${port}/`],
          ...{ cwd: "/tmp", env: {}, mounts: [], network, timeoutMs: 20_000, maxOutputBytes: 10_000 },
          signal: new AbortController().signal,
        }),
      );

      expect(output).toBe("modelmodel");
      await local.close();
      model.close();
    });
  },
);
