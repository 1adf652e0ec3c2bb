import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import type { McpServer } from "../../../src/store/agent-payload.ts";
import { connectServers } from "../../../src/tools/mcp/connect-servers.ts";
import { type Toolbox, toolbox } from "../../../src/tools/toolbox.ts";
import { giveTo } from "../../../src/workspace/checkout.ts";
import { layoutOf } from "../../../src/workspace/layout.ts";
import { noNetworks } from "../../../src/workspace/network/network.ts";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { noSandbox } from "../../../src/workspace/sandbox/no-sandbox.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { threadWorkspace } from "../../../src/workspace/thread-workspace.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { listening, mcpHttpServer, sessionServer } from "../../fixtures/mcp-http-server.ts";
import { freePort } from "../../rigs/free-port.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const installed = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

type Bench = { workspace: Workspace; tree: string };

const benchIn = async (sandbox: Sandbox): Promise<Bench> => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-mcp-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const place = layoutOf(directory, { id: "test" }).thread(newThreadId());
  const network = noNetworks.open(place.network, { repository: [], onRefused: async () => undefined });
  for (const path of [place.tree, place.output]) mkdirSync(path, { recursive: true });
  await giveTo(sandbox.owner, place.tree);
  return { workspace: threadWorkspace(place, { sandbox, mirrorObjects: null, network }), tree: place.tree };
};

const stdio = (more: Partial<McpServer> = {}): McpServer => ({
  name: "docs",
  command: process.execPath,
  args: [fixture("mcp-stdio-worker.ts")],
  env: [],
  url: null,
  tools: null,
  timeoutSeconds: 30,
  ...more,
});

const http = (url: string, more: Partial<McpServer> = {}): McpServer =>
  stdio({ command: null, args: [], url, ...more });

/** A server that runs this script. */
const script = (text: string, more: Partial<McpServer> = {}): McpServer =>
  stdio({ args: ["-e", text], ...more });

/** Answers the handshake and the list of tools, and then `then` for each call. */
const handmade = (then: string, tools = '[{ name: "a", inputSchema: { type: "object" } }]'): string => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
    if (method === "tools/list") send({ id, result: { tools: ${tools} } });
    if (method === "tools/call") { ${then} }
  });`;

type Connected = { box: Toolbox; call: (name: string, args?: object) => ReturnType<Toolbox["run"]> };

const connected = async (
  server: McpServer,
  {
    bench,
    signal = new AbortController().signal,
    variables = {},
    startMs = 30_000,
  }: { bench?: Bench; signal?: AbortSignal; variables?: Record<string, string>; startMs?: number } = {},
): Promise<Connected> => {
  const { workspace } = bench ?? (await benchIn(noSandbox()));
  const servers = await connectServers([server], {
    workspace,
    signal,
    startMs,
    variable: (name) => variables[name],
    taken: ["read_file"],
  });
  onTestFinished(() => servers.close());
  const box = toolbox(servers.tools, { workspace, signal, seen: new Map() });
  return { box, call: (name, args = {}) => box.run(name, args) };
};

const ways = [
  ["a program", async () => stdio()],
  [
    "a program that speaks the newest version alone",
    async () => stdio({ args: [fixture("mcp-stdio-worker.ts"), "new"] }),
  ],
  ["HTTP", async () => http((await mcpHttpServer()).url)],
  ["HTTP as it was before", async () => http((await mcpHttpServer({ legacy: "stateless" })).url)],
] as const;

describe.each(ways)("a server that is %s", (_, server) => {
  it("has its tools in the order of their names, with their schemas", async () => {
    const { box } = await connected(await server());

    const names = box.definitions.map(({ function: { name } }) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toContain("docs_write_note");
    expect(names.find((name) => name.startsWith("docs_dotted"))).toMatch(/^docs_dotted_name_[0-9a-f]{6}$/);
    expect(box.definitions.find(({ function: { name } }) => name === "docs_add")?.function).toMatchObject({
      description: "Adds two numbers.",
      parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a", "b"] },
    });
    expect([box.effect("docs_add"), box.effect("docs_write_note")]).toEqual(["read", "write"]);
  });

  it("answers calls, and says what fails", async () => {
    const { call } = await connected(await server());

    expect(await call("docs_add", { a: 2, b: 3, note: null })).toEqual({ ok: true, text: "5" });
    expect(await call("docs_fail")).toEqual({ ok: false, text: "it went wrong" });
    expect(await call("docs_add", { a: "two" })).toEqual({
      ok: false,
      text: "docs_add: the arguments do not fit.\n- a: must be a number\n- b: missing, must be a number",
    });
  });

  it("has what is no text named, and terminal codes taken away", async () => {
    const { call } = await connected(await server());

    expect((await call("docs_look")).text).toBe(
      "[image, image/png, 3,000 bytes: it cannot be shown here]\n[resource file:///a.txt]\nred\n[resource b, file:///b.txt]",
    );
  });

  it("has a long answer cut, and kept in a file", async () => {
    const bench = await benchIn(noSandbox());
    const { call } = await connected(await server(), { bench });

    const { text } = await call("docs_long");

    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toContain("line 0\n");
    expect(text).toContain("line 19999");
    const kept = /whole output is in (\S+):/.exec(text)?.[1] ?? "";
    expect(readFileSync(kept, "utf8")).toContain("line 10000\n");
  });

  it("is not waited for longer than configured, and can be asked again", async () => {
    const { call } = await connected({ ...(await server()), timeoutSeconds: 1 });

    expect(await call("docs_hang")).toMatchObject({
      ok: false,
      text: expect.stringMatching(/no answer within 1 s/),
    });
    expect(await call("docs_add", { a: 1, b: 1 })).toEqual({ ok: true, text: "2" });
  });

  it("is left at once when the step is cancelled", async () => {
    const controller = new AbortController();
    const { call } = await connected(await server(), { signal: controller.signal });

    const hanging = call("docs_hang");
    setTimeout(() => controller.abort(new Error("cancelled by a person")), 100);

    await expect(hanging).rejects.toThrow("cancelled by a person");
  });

  it("has no other tools than those that are named", async () => {
    const { box } = await connected({ ...(await server()), tools: ["fail", "add"] });

    expect(box.definitions.map(({ function: { name } }) => name)).toEqual(["docs_add", "docs_fail"]);
  });

  it("stops the step when a named tool is not there", async () => {
    await expect(connected({ ...(await server()), tools: ["write_not"] })).rejects.toMatchObject({
      code: "mcp-tools",
      remedy: "fix-config",
      message: 'the MCP server "docs" has no tool "write_not"; did you mean "write_note"?',
    });
  });
});

describe("a server that is a program", () => {
  it("gets the variables that are named, and no other of this process", async () => {
    const server = stdio({ env: ["A_KEY"], timeoutSeconds: 10 });
    process.env.UWF_TEST_SECRET = "secret";
    onTestFinished(() => {
      delete process.env.UWF_TEST_SECRET;
    });

    const { call } = await connected(server, { variables: { A_KEY: "a-long-secret", OTHER: "not" } });

    const { text } = await call("docs_environment");
    // It has been given it, and the model does not see it.
    expect(JSON.parse(text)).toMatchObject({ A_KEY: "[redacted]" });
    expect(text).not.toContain("UWF_TEST_SECRET");
    expect(text).not.toContain("OTHER");
    await expect(connected(server)).rejects.toMatchObject({
      code: "mcp-server-failed",
      message: 'the MCP server "docs" needs the variable A_KEY, which is not set',
    });
  });

  it("is started again when it has gone, and its end is an answer", async () => {
    const { call } = await connected(stdio());

    expect(await call("docs_die")).toEqual({
      ok: false,
      text: 'docs_die: the server "docs" has gone: it ended with exit code 3; it said: the disk is on fire. Another call starts it again.',
    });
    expect(await call("docs_add", { a: 1, b: 2 })).toEqual({ ok: true, text: "3" });
    for (let times = 0; times < 5; times++) await call("docs_die");
    expect(await call("docs_add", { a: 1, b: 2 })).toMatchObject({
      ok: false,
      text: expect.stringContaining("It is not started again: do without it."),
    });
  });

  it("leaves no process behind, whatever it started", async () => {
    const bench = await benchIn(noSandbox());
    const beating = `require("node:child_process").spawn("sh", ["-c", "while :; do date +%s%N > beat; sleep 0.02; done"], { detached: true, stdio: "ignore" });`;
    const controller = new AbortController();
    const { call } = await connected(script(beating + handmade("")), { bench, signal: controller.signal });
    const hanging = call("docs_a");
    while (!existsSync(join(bench.tree, "beat"))) await pause(20);

    controller.abort(new Error("stop"));

    await expect(hanging).rejects.toThrow("stop");
    await expect.poll(async () => stands(join(bench.tree, "beat")), { timeout: 10_000 }).toBe(true);
  });

  it.each([
    ["is not there", stdio({ command: "no-such-program", args: [] }), /no-such-program/],
    [
      "says what it was given",
      script('console.error("bad key", process.env.A_KEY); process.exit(1)', { env: ["A_KEY"] }),
      /bad key \[redacted\]$/,
    ],
    [
      "ends at once",
      script('console.error("no licence"); process.exit(1)'),
      /exit code 1; it said: no licence$/,
    ],
    ["prints something else and ends", script('console.log("hello"); console.log("{}")'), /exit code 0$/],
    [
      "floods before it answers",
      stdio({ command: "sh", args: ["-c", "tr '\\000' x </dev/zero"] }),
      /it said too much at once/,
    ],
    [
      "floods with lines",
      stdio({ command: "yes", args: ['{"jsonrpc":"2.0","method":"a"}'] }),
      /it said too much at once/,
    ],
  ])("stops the step when it %s", async (_, server, why) => {
    await expect(connected(server, { variables: { A_KEY: "a-long-secret" } })).rejects.toMatchObject({
      code: "mcp-server-failed",
      remedy: "fix-config",
      message: expect.stringMatching(why),
    });
  });

  it.each([
    ["says nothing", "process.stdin.resume()"],
    ["lists no tools", handmade("").replace('"tools/list"', '"never"')],
  ])("stops the step when it %s", async (_, text) => {
    await expect(connected(script(text), { startMs: 700 })).rejects.toMatchObject({
      code: "mcp-server-failed",
      message: 'the MCP server "docs" did not start: Request timed out',
    });
  });

  it("may print what is no message, and answer nonsense", async () => {
    const { call } = await connected(
      script(
        handmade(`console.log("working…"); console.log("[1,2]"); send({ id, result: { content: "yes" } });`),
      ),
    );

    expect(await call("docs_a")).toMatchObject({ ok: false, text: expect.stringContaining("docs_a: ") });
  });

  it("is ended when it floods in the middle of a call", async () => {
    const { call } = await connected(
      script(
        handmade(`process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":"' + "x".repeat(2e7))`),
      ),
    );

    expect(await call("docs_a")).toMatchObject({
      ok: false,
      text: expect.stringContaining("it said too much at once"),
    });
  });

  it("has huge and hostile descriptions and schemas bounded", async () => {
    const tools = `[
      { name: "a", description: "\\u001b[31m" + "very ".repeat(1e5), inputSchema: { type: "object", properties: { x: { description: "y".repeat(1e6) } } } },
      { name: "b", inputSchema: { type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } } },
      { name: "n".repeat(500), inputSchema: { type: "object" } },
      { name: "evil\\n## name", inputSchema: { type: "object", properties: { x: { $ref: "https://example.com/x.json" } } } },
    ]`;
    const { box, call } = await connected(
      script(handmade('send({ id, result: { content: [{ type: "text", text: "ok" }] } });', tools)),
    );

    for (const { function: tool } of box.definitions) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(JSON.stringify(tool).length).toBeLessThan(25_000);
      expect(tool.description.length).toBeLessThan(2_100);
      expect(tool.description).not.toContain("\u001b");
    }
    expect(await call("docs_b", { x: `${"a".repeat(40)}!` })).toEqual({ ok: true, text: "ok" });
  });

  it("may not have more tools than a model is given", async () => {
    const tools =
      'Array.from({ length: 101 }, (_, i) => ({ name: "t" + i, inputSchema: { type: "object" } }))';

    await expect(connected(script(handmade("", tools)))).rejects.toMatchObject({
      code: "mcp-tools",
      message: 'the MCP server "docs" has 101 tools, more than the 100 that a model is given',
    });
  });

  it("ends another that was started when one of them fails", async () => {
    const bench = await benchIn(noSandbox());
    const beating = `setInterval(() => require("node:fs").writeFileSync("beat", String(process.hrtime.bigint())), 10);`;
    const one = script(beating + handmade(""), { name: "one" });

    const starting = connectServers([one, stdio({ name: "two", command: "no-such-program" })], {
      workspace: bench.workspace,
      signal: new AbortController().signal,
      variable: () => undefined,
      taken: [],
    });

    await expect(starting).rejects.toMatchObject({ code: "mcp-server-failed" });
    expect(await stands(join(bench.tree, "beat"))).toBe(true);
  });
});

describe.skipIf(!bubblewrapIsHere())("a server that is a program in bubblewrap", () => {
  const sandbox = bubblewrapSandbox({ memoryMb: 2048, processes: 256 });

  it("works on the workspace, and reaches neither the network nor this machine's files", async () => {
    const bench = await benchIn(sandbox);
    const reached: string[] = [];
    const { url } = await listening((request, response) => {
      reached.push(request.url ?? "");
      response.end();
    });
    // The sandbox may find an older Node than ours, which runs no TypeScript.
    for (const name of ["mcp-tools", "mcp-stdio-worker"]) {
      const text = stripTypeScriptTypes(readFileSync(fixture(`${name}.ts`), "utf8"));
      writeFileSync(join(bench.tree, `${name}.mjs`), text.replace("./mcp-tools.ts", "./mcp-tools.mjs"));
    }
    for (const name of ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod"])
      cpSync(join(installed, name), join(bench.tree, "node_modules", name), { recursive: true });
    const { call } = await connected(stdio({ command: "node", args: ["mcp-stdio-worker.mjs"] }), { bench });

    expect(await call("docs_write_note", { text: "hello" })).toEqual({
      ok: true,
      text: "wrote 5 characters in /workspace",
    });
    expect(readFileSync(join(bench.tree, "note.txt"), "utf8")).toBe("hello");
    expect(await call("docs_fetch", { url })).toMatchObject({ ok: false });
    expect(reached).toEqual([]);
  });
});

describe("a server over HTTP", () => {
  it("is given its key", async () => {
    const server = await mcpHttpServer({ key: "k-12345" });

    const { call } = await connected(http(server.url, { apiKeyEnv: "A_KEY" }), {
      variables: { A_KEY: "k-12345" },
    });

    expect(await call("docs_add", { a: 1, b: 1 })).toEqual({ ok: true, text: "2" });
    expect(server.requests.every(({ method }) => method === "POST")).toBe(true);
    await expect(connected(http(server.url))).rejects.toMatchObject({
      code: "mcp-server-failed",
      remedy: "fix-config",
      message: 'the MCP server "docs" refused: HTTP 401',
    });
  });

  it("is waited for when it cannot be reached, or fails", async () => {
    const gone = await listening((_, response) => response.writeHead(503).end());

    for (const url of [`http://127.0.0.1:${await freePort()}/mcp`, gone.url])
      await expect(connected(http(url))).rejects.toMatchObject({ code: "mcp-unreachable", remedy: "retry" });
  });

  it("does not get its key sent elsewhere", async () => {
    const keys: (string | undefined)[] = [];
    const elsewhere = await listening((request, response) => {
      keys.push(request.headers.authorization);
      response.end();
    });
    const { url } = await listening((_, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );

    await expect(connected(http(url, { apiKeyEnv: "K" }), { variables: { K: "secret" } })).rejects.toThrow();
    expect(keys).toEqual([]);
  });

  it("may forget its sessions, and is told when one ends", async () => {
    const server = await sessionServer();
    const servers = await connectServers([http(server.url)], {
      workspace: (await benchIn(noSandbox())).workspace,
      signal: new AbortController().signal,
      variable: () => undefined,
      taken: [],
    });
    const add = servers.tools.find(({ name }) => name === "docs_add");
    const call = async () => add?.run({ a: 1, b: 1 }, { signal: new AbortController().signal } as never);

    expect(await call()).toEqual({ ok: true, text: "2" });
    server.forget();
    expect(await call()).toMatchObject({
      ok: false,
      text: expect.stringContaining("has forgotten the session"),
    });
    expect(await call()).toEqual({ ok: true, text: "2" });
    await servers.close();

    expect(server.ended).toHaveLength(1);
  });

  it.each([200, 500])("may not answer %i without end", async (status) => {
    const { url } = await listening((_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });

    await expect(connected(http(url))).rejects.toMatchObject({ code: "mcp-unreachable" });
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a file that somebody kept writing stays as it is. */
const stands = async (path: string): Promise<boolean> => {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  await pause(200);
  return (existsSync(path) ? readFileSync(path, "utf8") : "") === before;
};
