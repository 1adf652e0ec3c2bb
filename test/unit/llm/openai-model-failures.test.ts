import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { calls, says } from "../../../src/llm/scripted-model.ts";
import { ask, KEY, modelAt, readFileTool, requestOf } from "../../rigs/asking.ts";
import type { Fault, ModelScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const serve = async (script: ModelScript): Promise<ModelServer> => {
  server = await modelServer({ script });
  return server;
};

/** Fails so many times, then answers. */
const after = (times: number, fault: Fault, reply = says("at last")): ModelScript => {
  let asked = 0;
  return () => (asked++ < times ? fault : reply);
};

const status = (code: number, more: Partial<Extract<Fault, { fault: "status" }>> = {}): Fault => ({
  fault: "status",
  status: code,
  ...more,
});

const error = (message: string, code: string | null = null) => ({ error: { message, code, type: "t" } });

describe("passing failures", () => {
  it.each<[string, Fault]>([
    ["500", status(500)],
    ["503 in HTML", status(503, { body: "<html><body>Service down</body></html>" })],
    ["a connection cut in the middle", { fault: "cut", after: 3 }],
    ["a stream that ends early", { fault: "end", after: 3 }],
    ["a stream that ends before it began", { fault: "end", after: 0 }],
    ["a chunk that is no JSON", { fault: "garbage", after: 2 }],
    [
      "tool calls cut in the middle",
      { fault: "cut", after: 3, reply: calls("write_file", { content: "x".repeat(200) }) },
    ],
  ])("asks again after %s, and gives on nothing half", async (_, fault) => {
    const rig = await serve(after(2, fault));

    const { reply, waits } = await ask(modelAt(rig.url));

    expect(reply).toMatchObject({ content: "at last", toolCalls: [], finish: "stop" });
    expect(waits).toHaveLength(2);
    expect(waits[0]?.reason).toContain("acme");
    expect(rig.requests).toHaveLength(3);
  });

  it("gives up after six tries, with what the server said", async () => {
    const rig = await serve(() => status(502, { body: error("bad gateway") }));

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: "model-unavailable",
      remedy: "retry",
      message: expect.stringMatching(/m-1 of acme .*502: bad gateway/),
    });
    expect(rig.requests).toHaveLength(6);
  });

  it("gives up on a server that sends nothing, sooner", async () => {
    const rig = await serve(() => ({ fault: "hang", after: 1 }));

    await expect(ask(modelAt(rig.url, { idleMs: 300 }))).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringContaining("sent nothing"),
    });
    expect(rig.requests).toHaveLength(3);
  });

  it("takes a reply that has its end, though the server leaves the stream open", async () => {
    const rig = await serve(() => ({ fault: "hang", after: 3, reply: says("whole") }));

    const { reply, waits } = await ask(modelAt(rig.url, { idleMs: 30 }));

    expect(reply).toMatchObject({ content: "whole", finish: "stop" });
    expect(waits).toEqual([]);
  });

  it("says where nobody listens", async () => {
    const rig = await modelServer({ script: () => says("") });
    await rig.close();

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(/no reply from acme at http:\/\/127\.0\.0\.1:\d+\/v1 \(.*ECONNREFUSED/),
    });
  });
});

describe("rate limits", () => {
  it("waits as long as the server asks, more often than it tries failures", async () => {
    const rig = await serve(after(8, status(429, { headers: { "retry-after-ms": "7" } })));

    const { reply, waits } = await ask(modelAt(rig.url));

    expect(reply.content).toBe("at last");
    expect(waits).toHaveLength(8);
    expect(Math.min(...waits.map(({ ms }) => ms))).toBeGreaterThanOrEqual(7);
  });

  it("does not wait longer than it may, and says when to come back", async () => {
    const rig = await serve(() => status(429, { headers: { "retry-after": "7200" } }));

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: "model-unavailable",
      remedy: "retry",
      retryAfterMs: 7_200_000,
    });
    expect(rig.requests).toHaveLength(1);
  });

  it("does not wait for credit", async () => {
    const body = error(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
    );
    const rig = await serve(() => status(429, { body }));

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: "model-refused",
      remedy: "fix-config",
    });
    expect(rig.requests).toHaveLength(1);
  });
});

describe("cancellation", () => {
  it("ends a request that hangs", async () => {
    const abort = new AbortController();
    const rig = await serve(() => {
      setTimeout(() => abort.abort(new Error("stopped by a person")), 5);
      return { fault: "hang", after: 1 };
    });

    await expect(ask(modelAt(rig.url), requestOf(), abort.signal)).rejects.toThrow("stopped by a person");
    expect(rig.requests).toHaveLength(1);
  });

  it("ends a wait", async () => {
    const abort = new AbortController();
    const rig = await serve(() => status(429, { headers: { "retry-after": "600" } }));
    const asking = modelAt(rig.url).ask(requestOf(), {
      signal: abort.signal,
      onRetry: () => abort.abort(new Error("stopped while waiting")),
    });

    await expect(asking).rejects.toThrow("stopped while waiting");
  });
});

describe("refusals", () => {
  it("names the variable of a refused key, and never the key", async () => {
    const rig = await serve(() => status(401, { body: error(`Incorrect API key provided: ${KEY}.`) }));

    const failed = await ask(modelAt(rig.url)).catch((thrown: unknown) => thrown);

    expect(failed).toMatchObject({
      code: "model-refused",
      remedy: "fix-config",
      message: expect.stringContaining("ACME_KEY"),
    });
    expect(String(failed)).toContain("acme");
    expect(String(failed)).not.toContain(KEY);
  });

  it.each([
    [404, error("The model `m-1` does not exist", "model_not_found"), "model-refused"],
    [
      400,
      error("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
      "model-context-overflow",
    ],
    [400, error("tools.0.function.name is too long for us"), "model-request-invalid"],
    [402, error("Insufficient Balance"), "model-refused"],
  ])("maps %i %o to %s at once", async (code, body, expected) => {
    const rig = await serve(() => status(code, { body }));

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining(body.error.message),
    });
    expect(rig.requests).toHaveLength(1);
  });

  it("reports a filtered request as a reply", async () => {
    const rig = await serve(() =>
      status(400, { body: error("The response was filtered.", "content_filter") }),
    );

    const { reply } = await ask(modelAt(rig.url));

    expect(reply).toMatchObject({ finish: "filtered", toolCalls: [] });
  });

  it("does not carry the key to where a redirect points", async () => {
    let visits = 0;
    const elsewhere = createServer((_, response) => {
      visits++;
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1/chat/completions`;
    const rig = await serve(() => status(307, { headers: { location } }));

    await expect(ask(modelAt(rig.url))).rejects.toMatchObject({
      code: "model-refused",
      remedy: "fix-config",
    });
    expect(visits).toBe(0);
    elsewhere.close();
  });
});

describe("servers that know less", () => {
  it.each([
    ["max_completion_tokens", { max_tokens: 16_000 }],
    ["stream_options", {}],
  ])("asks without %s from then on", async (parameter, expected) => {
    const rig = await serve(({ body }) =>
      parameter in body
        ? status(400, { body: error(`Unrecognized request argument: ${parameter}`) })
        : says("ok"),
    );
    const model = modelAt(rig.url);

    const { reply } = await ask(model);
    await ask(model);

    expect(reply.content).toBe("ok");
    expect(rig.requests).toHaveLength(3);
    expect(rig.requests[1]?.body).toMatchObject(expected);
  });

  it("leaves the choice to a model whose server cannot force a tool", async () => {
    const rig = await serve(({ body }) =>
      typeof body.tool_choice === "object"
        ? status(400, { body: error("Thinking mode does not support this tool_choice") })
        : calls("read_file", { path: "a" }),
    );

    const { reply } = await ask(
      modelAt(rig.url),
      requestOf(undefined, { tools: [readFileTool], toolChoice: { name: "read_file" } }),
    );

    expect(reply.toolCalls).toHaveLength(1);
    expect(rig.requests[1]?.body.tool_choice).toBe("auto");
  });

  it("estimates the tokens that a server does not count", async () => {
    const rig = await serve(({ body }) =>
      "stream_options" in body
        ? status(400, { body: error("unknown field stream_options") })
        : says("x".repeat(400)),
    );

    const { reply } = await ask(modelAt(rig.url), requestOf([{ role: "user", content: "y".repeat(4000) }]));

    expect(reply.usage.inputTokens).toBeGreaterThanOrEqual(1000);
    expect(reply.usage.outputTokens).toBeGreaterThanOrEqual(100);
    expect(reply.usage.costUsd).toBeNull();
  });

  it("takes a whole completion from a server that does not stream", async () => {
    const completion = {
      model: "m-1-plain",
      choices: [{ message: { role: "assistant", content: "all at once" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    };
    const rig = await serve(() => status(200, { body: completion }));

    const { reply } = await ask(modelAt(rig.url));

    expect(reply).toMatchObject({ model: "m-1-plain", content: "all at once", usage: { inputTokens: 3 } });
  });
});
