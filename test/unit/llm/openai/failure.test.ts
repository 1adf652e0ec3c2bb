import { describe, expect, it } from "vitest";
import { failureOf } from "../../../../src/llm/openai/failure.ts";
import { refusalOf } from "../../../../src/llm/openai/refusal.ts";

const names = {
  alias: "default",
  model: "m",
  provider: "acme",
  apiKeyEnv: "ACME_KEY",
  baseUrl: "https://a/v1",
};

const failure = (status: number | undefined, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return failureOf(refusalOf(Object.assign(new Error("client"), { status }), text), names);
};
const codeOf = (status: number, body: unknown): string => {
  const found = failure(status, body);
  return "error" in found ? found.error.code : found.kind;
};

describe("a conversation that is too long", () => {
  it.each<[string, number, unknown]>([
    [
      "OpenAI",
      400,
      {
        error: {
          message:
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
          code: "context_length_exceeded",
        },
      },
    ],
    [
      "OpenAI responses",
      400,
      {
        error: {
          message: "Your input exceeds the context window of this model.",
          code: "context_length_exceeded",
        },
      },
    ],
    [
      "OpenAI, one request over the minute's budget",
      429,
      {
        error: {
          message: "Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 40000.",
          code: "rate_limit_exceeded",
        },
      },
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        type: "BadRequestError",
        code: 400,
      },
    ],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size. try increasing it",
          type: "exceed_context_size_error",
        },
      },
    ],
    [
      "Anthropic",
      400,
      {
        error: {
          message: "prompt is too long: 210000 tokens > 200000 maximum",
          type: "invalid_request_error",
        },
      },
    ],
    [
      "Gemini",
      400,
      [
        {
          error: {
            code: 400,
            message:
              "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
    ],
    ["Groq", 400, { error: { message: "Please reduce the length of the messages or completion." } }],
    [
      "xAI",
      400,
      { error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." },
    ],
    [
      "Moonshot",
      400,
      { error: { message: "Invalid request: Your request exceeded model token limit: 8192" } },
    ],
    ["DashScope", 400, { error: { message: "Range of input length should be [1, 30720]" } }],
    [
      "GitHub Models",
      413,
      {
        error: {
          code: "tokens_limit_reached",
          message: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
        },
      },
    ],
    ["a proxy", 413, "<html><h1>413 Request Entity Too Large</h1></html>"],
  ])("%s", (_, status, body) => {
    expect(codeOf(status, body)).toBe("model-context-overflow");
  });
});

describe("other refusals", () => {
  it.each<[string, number, unknown, string]>([
    [
      "too many output tokens",
      400,
      {
        error: {
          message: "max_tokens is too large: 99999. This model supports at most 4096 completion tokens.",
        },
      },
      "model-request-invalid",
    ],
    [
      "a daily token limit",
      429,
      { error: { message: "You have reached your daily token limit." } },
      "rate-limited",
    ],
    ["a missing balance", 402, { error: { message: "Insufficient Balance" } }, "model-refused"],
    ["DeepSeek's unknown model", 400, { error: { message: "Model Not Exist" } }, "model-refused"],
    ["an address without an API", 404, "<html>nginx</html>", "model-refused"],
    ["a forbidden region", 403, { error: { message: "Country not supported" } }, "model-refused"],
    [
      "Azure's filter",
      400,
      { error: { message: "The response was filtered due to the prompt", code: "content_filter" } },
      "filtered",
    ],
    ["OpenRouter's moderation", 403, { error: { message: "Your input was flagged", code: 403 } }, "filtered"],
    [
      "FastAPI's validation",
      422,
      { detail: [{ loc: ["body", "messages"], msg: "field required" }] },
      "model-request-invalid",
    ],
    ["a conflict", 409, {}, "passing"],
    ["a busy server", 529, { error: { message: "Overloaded" } }, "passing"],
  ])("%s", (_, status, body, expected) => {
    expect(codeOf(status, body)).toBe(expected);
  });

  it("reads a status out of an error that came inside a stream", () => {
    const thrown = Object.assign(new Error("x"), { error: { code: 429, message: "Try again in 3s" } });

    expect(failureOf(refusalOf(thrown, null), names)).toMatchObject({ kind: "rate-limited", waitMs: 3000 });
  });

  it("shows a proxy's page without its tags", () => {
    expect(failure(502, "<html><style>p{}</style><h1>Bad gateway</h1><p>nginx</p></html>")).toMatchObject({
      reason: "acme failed (502: Bad gateway nginx)",
    });
  });
});
