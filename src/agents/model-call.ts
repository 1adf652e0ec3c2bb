import { AppError, isAbort } from "../base/errors.ts";
import type { AskOptions, Model, ModelReply, ModelRequest } from "../llm/model.ts";
import type { Usage } from "../store/payload.ts";

/** One question to a model, with whatever waits and repetitions it took. */
export type ModelCall = {
  kind: "model-called";
  /** The configured alias, and the provider's name for it. */
  model: { alias: string; name: string; provider: string };
  /** What came back, or the code of what was thrown: `cancelled` and `unexpected` beside those of the model port. */
  result: { answeredBy: string; finish: ModelReply["finish"]; usage: Usage } | { error: string };
  ms: number;
};

/** The same model; each call is reported when it is over, those for summaries too. */
export const observedModel = (
  model: Model,
  { observe, elapsed }: { observe: ((call: ModelCall) => void) | undefined; elapsed: () => number },
): Model => {
  if (observe === undefined) return model;
  const { alias, name, provider, contextTokens, maxOutputTokens, price } = model;
  const ask = async (request: ModelRequest, options: AskOptions): Promise<ModelReply> => {
    const startedAt = elapsed();
    const over = (result: ModelCall["result"]): void => {
      const ms = Math.max(0, Math.round(elapsed() - startedAt));
      observe({ kind: "model-called", model: { alias, name, provider }, result, ms });
    };
    try {
      const reply = await model.ask(request, options);
      over({ answeredBy: reply.model, finish: reply.finish, usage: reply.usage });
      return reply;
    } catch (error) {
      over({ error: codeOf(error, options.signal) });
      throw error;
    }
  };
  return { alias, name, provider, contextTokens, maxOutputTokens, price, ask };
};

const codeOf = (error: unknown, signal: AbortSignal): string => {
  if (isAbort(error, signal)) return "cancelled";
  return error instanceof AppError ? error.code : "unexpected";
};
