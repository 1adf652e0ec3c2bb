import { setTimeout as sleep } from "node:timers/promises";
import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { AskOptions, Model, ModelReply, ModelRequest } from "./model.ts";
import type { ModelConfig, Provider } from "./model-config.ts";
import { askOnce } from "./openai/ask-once.ts";
import { type Dialect, easierDialect, openaiDialect } from "./openai/dialect.ts";
import type { Failure, Names } from "./openai/failure.ts";
import { filteredDraft, lostUsage, replyOf } from "./openai/reply-of.ts";
import { failureOfThrown } from "./openai/thrown.ts";
import { defaultRetryPolicy, type RetryPolicy, waitBefore } from "./retry-policy.ts";

/** Which model, of which server, and how it is asked. */
export type OpenaiModelOptions = {
  /** What the program calls it. */
  alias: string;
  model: ModelConfig;
  provider: Provider;
  /** null: the server is asked without a key. */
  apiKey: string | null;
  log: Log;
  /** Takes secrets out of texts of the provider before they are thrown or logged; the key is always taken out. */
  redact?: (text: string) => string;
  /** What differs from: 6 tries, 1 s and then twice as long up to 60 s between them, 15 minutes for rate limits. */
  retry?: Partial<RetryPolicy>;
  /** Milliseconds without a byte after which a request is given up; `provider.idleSeconds` without it. */
  idleMs?: number;
};

/**
 * A model behind an OpenAI-compatible server. A reply is given on only when it is whole; pieces of a stream that broke
 * have gone to `onText`, and `onRetry` comes before the text begins anew. Beside the port's errors it throws
 * `model-request-invalid` (fix-config) when the server refuses the request itself.
 */
export const openaiModel = (options: OpenaiModelOptions): Model => {
  const { alias, model, provider, apiKey, log } = options;
  const idleMs = options.idleMs ?? provider.idleSeconds * 1000;
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const names: Names = {
    alias,
    model: model.name,
    provider: model.provider,
    apiKeyEnv: provider.apiKeyEnv,
    baseUrl: provider.baseUrl,
  };
  const safe = (text: string): string => {
    const shown = apiKey ? text.replaceAll(apiKey, "[key]") : text;
    return options.redact?.(shown) ?? shown;
  };
  let dialect: Dialect = openaiDialect;

  const ask = async (request: ModelRequest, asking: AskOptions): Promise<ModelReply> => {
    const { signal, onText, onRetry, onLost } = asking;
    const patience = patienceFor(policy, names);
    const maxOutputTokens = Math.min(
      request.maxOutputTokens ?? Number.POSITIVE_INFINITY,
      model.maxOutputTokens,
    );
    for (;;) {
      const body = { model: model.name, maxOutputTokens, dialect };
      const outcome = await askOnce(request, { provider, apiKey, idleMs, body, signal, onText });
      if ("draft" in outcome) return replyOf(outcome.draft, request, model);

      if (outcome.pieces !== null) {
        const reason = safe(messageOf(outcome.thrown.error));
        await onLost?.({ reason, usage: lostUsage(outcome.pieces, request, model) });
      }
      signal.throwIfAborted();
      const failure = failureOfThrown(outcome.thrown, names);
      if (failure.kind === "filtered") return replyOf(filteredDraft(safe(failure.reason)), request, model);
      if (failure.kind === "final") throw redacted(failure.error, safe);
      if (failure.kind === "invalid") {
        const easier = easierDialect(dialect, failure.refusal);
        if (easier === null) throw redacted(failure.error, safe);
        log.debug({ alias, refusal: safe(failure.refusal) }, "the model's server does not know a parameter");
        dialect = easier;
        continue;
      }
      const wait = { reason: safe(failure.reason), ms: patience.next(failure, safe) };
      log.debug({ alias, ...wait }, "waiting for the model");
      onRetry?.(wait);
      await sleepUntil(wait.ms, signal);
    }
  };

  const { name, contextTokens, maxOutputTokens, price } = model;
  return { alias, name, provider: model.provider, contextTokens, maxOutputTokens, price, ask };
};

type Waitable = Extract<Failure, { kind: "rate-limited" | "passing" }>;

/** Counts failures and waits of one question; throws `model-unavailable` when there were too many. */
const patienceFor = (policy: RetryPolicy, { provider, model }: Names) => {
  let tries = 0;
  let limited = 0;
  let waitedMs = 0;
  const giveUp = (what: string, retryAfterMs: number | null): AppError =>
    new AppError(`${model} of ${provider} is not available: ${what}`, {
      code: "model-unavailable",
      remedy: "retry",
      hint: "Try again later; the work so far is kept.",
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });

  return {
    /** Milliseconds to wait before the next request. */
    next: (failure: Waitable, safe: (text: string) => string): number => {
      const reason = safe(failure.reason);
      if (failure.kind === "passing") tries += failure.tries;
      else limited += 1;
      if (tries >= policy.tries) throw giveUp(`${reason}, after several tries`, failure.waitMs);
      const ms = waitBefore(failure.kind === "passing" ? tries : limited, failure.waitMs, policy);
      // What the server asks for is bounded together, whatever status it came with.
      if (failure.kind === "rate-limited" || failure.waitMs !== null) waitedMs += ms;
      if (waitedMs > policy.rateLimitWaitMs) throw giveUp(reason, failure.waitMs ?? ms);
      return ms;
    },
  };
};

const sleepUntil = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

const redacted = (error: AppError, safe: (text: string) => string): AppError => {
  const message = safe(error.message);
  if (message === error.message) return error;
  const { code, remedy, hint, retryAfterMs } = error;
  return new AppError(message, {
    code,
    remedy,
    ...(hint === undefined ? {} : { hint }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
};
