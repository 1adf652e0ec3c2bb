import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { programParts } from "../../../src/agents/command/program-parts.ts";
import { AppError } from "../../../src/base/errors.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import type { Model } from "../../../src/llm/model.ts";
import { calls, resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { agentAdapters } from "../../../src/thread/agent-adapters.ts";
import { cancelThread } from "../../../src/thread/commands.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { runThread } from "../../../src/thread/run.ts";
import { noSandbox } from "../../../src/workspace/sandbox/no-sandbox.ts";
import { mcpHttpServer } from "../../fixtures/mcp-http-server.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";
import { freePort } from "../../rigs/free-port.ts";

const program = fileURLToPath(new URL("../../fixtures/mcp-stdio-worker.ts", import.meta.url));
const schema = "{ type: object, required: [sum], properties: { sum: { type: number } } }";

const workflow = (tools = "") => `
version: 1
name: sums
roles:
  adder: { systemPrompt: You add., schema: ${schema}${tools} }
  checker: { systemPrompt: You check., tools: [read_file], schema: ${schema} }
moderator:
  - { from: $START, to: adder }
  - { from: adder, to: checker }
  - { from: checker, to: $END }
`;

const never = () => new AbortController().signal;

let bench: ThreadBench;
afterEach(() => bench.dispose());

/** An engine with the real agents, whose models answer from scripts. */
const engineWith = (model: Model): Engine => {
  const env = { UWF_STORAGE_ROOT: bench.root, OPENAI_API_KEY: "k", OPENAI_MODEL: "m", A_KEY: "k-123456" };
  const config = loadConfig({ env });
  return {
    ...bench.engine,
    adapterOf: agentAdapters({
      modelOf: async () => model,
      sandboxed: (session) => session.workspace(),
      variable: (name) => config.variables[name],
      store: bench.store,
      programs: programParts(config, { outside: noSandbox(), sandbox: noSandbox() }),
      designer: () => () => () => Promise.reject(new Error("no role talks with a person")),
    }),
  };
};

const benchWith = async (server: string): Promise<void> => {
  bench = await threadBench(scriptedModel([]));
  writeFileSync(join(bench.root, "config.yaml"), `mcpServers:\n  docs: ${server}\n`);
};

const stdio = `{ command: ${process.execPath}, args: [${program}], roles: { sums: [adder] } }`;

const toolNames = (request: { tools: readonly { function: { name: string } }[] } | undefined): string[] =>
  (request?.tools ?? []).map((tool) => tool.function.name);

describe("a role with a server's tools", () => {
  it("calls them in the loop, and a role that was not given the server does not have them", async () => {
    await benchWith(stdio);
    const model = scriptedModel([
      calls("docs_add", { a: 2, b: "3" }, calls("docs_write_note", { text: "five" })),
      resolves({ sum: 5 }),
      resolves({ sum: 5 }),
    ]);
    const { id } = await bench.start(workflow());

    const record = await runThread(engineWith(model), id, { signal: never() });

    expect(record).toMatchObject({ status: "completed", reason: null });
    const results = model.asked[1]?.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    expect(results).toEqual(["5", expect.stringMatching(/^wrote 4 characters in /)]);
    const names = toolNames(model.requests[0]);
    expect(names.slice(0, 2)).toEqual(["read_file", "write_file"]);
    expect(names.filter((name) => name.startsWith("docs_"))).toHaveLength(10);
    expect(names.at(-1)).toBe("resolve");
    expect(toolNames(model.requests[2])).toEqual(["read_file", "resolve"]);
  });

  it("has only those that its workflow names", async () => {
    await benchWith(stdio);
    const model = scriptedModel([resolves({ sum: 5 }), resolves({ sum: 5 })]);
    const { id } = await bench.start(workflow(', tools: [git_log, "docs:fail", "docs:add"]'));

    await runThread(engineWith(model), id, { signal: never() });

    expect(toolNames(model.requests[0])).toEqual(["git_log", "docs_add", "docs_fail", "resolve"]);
  });

  it("has the same tools, and no call again, when another process goes on with the step", async () => {
    await benchWith(stdio);
    const { id } = await bench.start(workflow());
    const lost = new AppError("the provider is away", { code: "model-unavailable", remedy: "retry" });
    const first = scriptedModel([calls("docs_write_note", { text: "once" }), lost]);

    await runThread(engineWith(first), id, { signal: never(), waitOutMs: 60_000 });
    const { directory } = await bench.engine.workspaces.open(id, null);
    expect(readFileSync(join(directory, "note.txt"), "utf8")).toBe("once");
    writeFileSync(join(directory, "note.txt"), "changed since");
    const second = scriptedModel([
      calls("read_file", { path: "note.txt" }),
      resolves({ sum: 2 }),
      resolves({ sum: 2 }),
    ]);
    const record = await runThread(engineWith(second), id, { signal: never() });

    expect(record.status).toBe("completed");
    expect(second.requests[0]?.tools).toEqual(first.requests[0]?.tools);
    expect(second.asked[0]?.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("wrote 4"),
    });
    expect(second.asked[1]?.at(-1)).toMatchObject({ content: expect.stringContaining("changed since") });
  });

  it("asks a server at an address, with the key", async () => {
    const server = await mcpHttpServer({ key: "k-123456" });
    await benchWith(`{ url: "${server.url}", apiKeyEnv: A_KEY, tools: [add], roles: { "*": ["*"] } }`);
    const model = scriptedModel([
      calls("docs_add", { a: 1, b: 1 }),
      resolves({ sum: 2 }),
      resolves({ sum: 2 }),
    ]);
    const { id } = await bench.start(workflow());

    const record = await runThread(engineWith(model), id, { signal: never() });

    expect(record.status).toBe("completed");
    expect(model.asked[1]?.at(-1)).toMatchObject({ role: "tool", content: "2" });
    expect(toolNames(model.requests[2])).toEqual(["read_file", "docs_add", "resolve"]);
    expect(
      await bench.store.load("agent", (await bench.store.history(record.head)).start.agents.adder as never),
    ).toMatchObject({
      mcp: [{ name: "docs", apiKeyEnv: "A_KEY", tools: ["add"] }],
    });
  });

  it("fails with the server's name when its program does not start", async () => {
    await benchWith("{ command: no-such-program, roles: { sums: [adder] } }");
    const { id } = await bench.start(workflow());

    const record = await runThread(engineWith(scriptedModel([])), id, { signal: never(), waitOutMs: 60_000 });

    expect(record).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/the MCP server "docs" did not start: .*no-such-program/),
    });
  });

  it("waits for a server that cannot be reached", async () => {
    await benchWith(`{ url: "http://127.0.0.1:${await freePort()}/mcp", roles: { sums: [adder] } }`);
    const { id } = await bench.start(workflow());

    const record = await runThread(engineWith(scriptedModel([])), id, { signal: never(), waitOutMs: 60_000 });

    expect(record).toMatchObject({
      status: "queued",
      reason: expect.stringMatching(
        /the MCP server "docs" cannot be reached: connect ECONNREFUSED.*It will be tried again/,
      ),
    });
  });

  it("is cancelled in the middle of a call", async () => {
    await benchWith(stdio);
    const { id } = await bench.start(workflow());

    const running = runThread(engineWith(scriptedModel([calls("docs_hang", {})])), id, { signal: never() });
    await expect
      .poll(() => bench.events.some(({ kind }) => kind === "tool-started"), { timeout: 20_000 })
      .toBe(true);
    await cancelThread(bench.engine, id);

    expect((await running).status).toBe("cancelled");
  });

  it("cannot begin when its workflow names tools of a server that it was not given", async () => {
    await benchWith(stdio);

    await expect(bench.start(workflow(', tools: ["jira:*"]'))).rejects.toMatchObject({
      code: "mcp-not-given",
      remedy: "fix-config",
      message: `sums's adder needs tools of the MCP server "jira", which is not configured`,
    });
  });
});
