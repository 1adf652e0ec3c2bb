import { afterEach, describe, expect, it } from "vitest";
import { says } from "../../../../src/llm/scripted-model.ts";
import type { Usage } from "../../../../src/store/payload.ts";
import { modelAt, requestOf } from "../../../rigs/asking.ts";
import type { Fault, ModelScript } from "../../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../../rigs/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const price = { input: 2, output: 10 };
const long = requestOf([{ role: "user", content: "y".repeat(4_000) }]);

const asked = async (script: ModelScript, signal = new AbortController().signal, idleMs = 5_000) => {
  server = await modelServer({ script });
  const model = modelAt(server.url, {
    model: { price },
    retry: { tries: 3, baseMs: 1, maxMs: 2, rateLimitWaitMs: 5 },
    idleMs,
  });
  const lost: Usage[] = [];
  const onLost = async ({ usage }: { usage: Usage }) => void lost.push(usage);
  const ended = await model.ask(long, { signal, onLost }).then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  return { ended, lost };
};

describe("a request that brought no reply", () => {
  it.each<[string, Fault]>([
    ["cut in the middle", { fault: "cut", after: 3 }],
    ["ended before its end", { fault: "end", after: 3 }],
    ["broken off by a piece that is no JSON", { fault: "garbage", after: 2 }],
  ])("is paid for all the same: %s", async (_, fault) => {
    const { ended, lost } = await asked(() => fault);

    expect(ended).toMatchObject({ error: { code: "model-unavailable" } });
    expect(lost).toHaveLength(3);
    for (const { inputTokens, outputTokens, costUsd } of lost) {
      expect(inputTokens).toBeGreaterThanOrEqual(1_000);
      expect(outputTokens).toBeGreaterThanOrEqual(1);
      expect(costUsd).toBeCloseTo((inputTokens * 2 + outputTokens * 10) / 1_000_000, 9);
    }
  });

  it("is paid for when the server is given up that says nothing", async () => {
    const { lost } = await asked(() => ({ fault: "hang", after: 0 }), undefined, 30);

    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ inputTokens }) => inputTokens >= 1_000)).toBe(true);
  });

  it("is paid for when it is not wanted any more", async () => {
    const stop = new AbortController();
    const { ended, lost } = await asked(() => {
      setTimeout(() => stop.abort(new Error("stopped")), 30);
      return { fault: "hang", after: 2, reply: says("some words that take some pieces to come through") };
    }, stop.signal);

    expect(ended).toMatchObject({ error: { message: "stopped" } });
    expect(lost).toHaveLength(1);
  });

  it.each([429, 500, 503, 401])("costs nothing where the server refused it: %d", async (status) => {
    const { ended, lost } = await asked(() => ({ fault: "status", status }));

    expect(ended).toHaveProperty("error");
    expect(lost).toEqual([]);
  });

  it("is not sent again when its cost may not be spent", async () => {
    server = await modelServer({ script: () => ({ fault: "cut", after: 3 }) });
    const model = modelAt(server.url, { model: { price } });

    const asking = model.ask(long, {
      signal: new AbortController().signal,
      onLost: () => Promise.reject(new Error("no more money")),
    });

    await expect(asking).rejects.toThrow("no more money");
    expect(server.requests).toHaveLength(1);
  });
});

describe("a reply", () => {
  it("may be bounded below the model's own limit, and never above it", async () => {
    server = await modelServer({ script: () => says("ok") });
    const model = modelAt(server.url, { model: { maxOutputTokens: 1_000 } });
    const options = { signal: new AbortController().signal };

    await model.ask({ ...long, maxOutputTokens: 300 }, options);
    await model.ask({ ...long, maxOutputTokens: 5_000 }, options);

    expect(server.requests.map(({ body }) => body.max_completion_tokens ?? body.max_tokens)).toEqual([
      300, 1_000,
    ]);
  });

  it.each([
    ["less than nothing", { inputTokens: -50, cachedInputTokens: 0, outputTokens: -9 }],
    ["nothing", { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }],
    ["more than numbers hold", { inputTokens: 1e300, cachedInputTokens: 0, outputTokens: 1e300 }],
  ])("that has used %s, as its server says, is estimated", async (_, usage) => {
    const { ended } = await asked(() => ({ ...says("x".repeat(400)), usage: { ...usage, costUsd: null } }));

    const { inputTokens, outputTokens, costUsd } =
      "reply" in ended ? ended.reply.usage : expect.fail("no reply");
    expect(inputTokens).toBeGreaterThanOrEqual(1_000);
    expect(inputTokens).toBeLessThan(2_000);
    expect(outputTokens).toBeGreaterThanOrEqual(100);
    expect(costUsd).toBeGreaterThan(0.002);
  });
});
