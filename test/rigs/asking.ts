import { silentLog } from "../../src/base/log.ts";
import type { ChatMessage, Model, ModelReply, ModelRequest } from "../../src/llm/model.ts";
import { ModelConfig, Provider } from "../../src/llm/model-config.ts";
import { type OpenaiModelOptions, openaiModel } from "../../src/llm/openai-model.ts";

export const KEY = "sk-test-0123456789";

/** The real client over a server, with waits too short to notice. */
export const modelAt = (
  baseUrl: string,
  {
    provider,
    model,
    ...options
  }: Partial<Omit<OpenaiModelOptions, "provider" | "model">> & {
    provider?: Partial<Provider>;
    model?: Partial<ModelConfig>;
  } = {},
): Model =>
  openaiModel({
    alias: "default",
    model: ModelConfig.parse({ provider: "acme", name: "m-1", ...model }),
    provider: Provider.parse({ baseUrl, apiKeyEnv: "ACME_KEY", ...provider }),
    apiKey: KEY,
    log: silentLog,
    retry: { baseMs: 1, maxMs: 4 },
    ...options,
  });

export const requestOf = (
  messages: readonly ChatMessage[] = [{ role: "user", content: "Go." }],
  more: Partial<ModelRequest> = {},
): ModelRequest => ({ messages, tools: [], toolChoice: "auto", ...more });

export type Asked = { reply: ModelReply; waits: { reason: string; ms: number }[]; pieces: string[] };

/** Asks once, and notes the waits and the pieces of text on the way. */
export const ask = async (
  model: Model,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Asked> => {
  const waits: Asked["waits"] = [];
  const pieces: string[] = [];
  const reply = await model.ask(request, {
    signal,
    onText: (piece) => pieces.push(piece),
    onRetry: (wait) => waits.push(wait),
  });
  return { reply, waits, pieces };
};

export const readFileTool: ModelRequest["tools"][number] = {
  type: "function",
  function: {
    name: "read_file",
    description: "Read a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
};
