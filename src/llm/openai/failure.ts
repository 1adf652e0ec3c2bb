import { AppError, type AppErrorOptions } from "../../base/errors.ts";
import { askedWait } from "./asked-wait.ts";
import type { Refusal } from "./refusal.ts";

/** What to do about a request that brought no reply. */
export type Failure =
  /** Wait as long as asked, within the bound for rate limits. */
  | { kind: "rate-limited"; reason: string; waitMs: number | null }
  /** Try again a few times; `tries` is how many of them this one used up. */
  | { kind: "passing"; reason: string; waitMs: number | null; tries: number }
  /** The server's filter took the request: an empty reply that says so. */
  | { kind: "filtered"; reason: string }
  /** Perhaps only a parameter that the server does not know; else `error`. */
  | { kind: "invalid"; refusal: string; error: AppError }
  | { kind: "final"; error: AppError };

/** How messages name the model and where its settings stand. */
export type Names = {
  alias: string;
  model: string;
  provider: string;
  apiKeyEnv: string | null;
  baseUrl: string;
};

const OVERFLOW_CODES = /context_length_exceeded|exceed_context_size|context_window|tokens_limit_reached/;
const OVERFLOW_TEXT = [
  /(maximum|max|available) (context|prompt|input) (length|size|window)/,
  /exceed\S{0,20} .{0,60}context (length|size|window|limit)|context (length|size|window|limit).{0,20}exceed/,
  /(prompt|input|request|message|conversation)s?( is| are)? too (long|large)/,
  /(input|prompt) token count|input length should be|token limit|greater than the context length/,
  /reduce the length of|prompt exceeds max|too many tokens: total|must have less than \d+ tokens/,
  /request body too large|tokens in the (prompt|input)/,
];
const FILTERED =
  /content_filter|content_policy|invalid_prompt|data_inspection_failed|content management policy/;
const UNKNOWN_MODEL =
  /model_not_found|unknown_model|invalid_model|model.{0,80}(not found|not exist|does not exist)|(invalid|unknown|no such) model/;
const NO_CREDIT =
  /insufficient_quota|billing|insufficient (balance|credit|fund)|credit balance|payment required/;
const TOO_MANY_OUTPUT =
  /max_?(completion_|output_)?tokens.{0,40}(too large|at most|exceed|less than)|completion tokens/;

/** What a server's refusal means. Pure: the table of statuses and of the wordings of many providers. */
export const failureOf = (refusal: Refusal, names: Names): Failure => {
  const { status, headers } = refusal;
  const words = `${refusal.codes} ${refusal.text.toLowerCase()}`;
  const said = `${status === null ? "" : `${status}: `}${refusal.text}`;
  const waitMs = askedWait(headers, refusal.text);

  if (NO_CREDIT.test(words) && (status === 402 || status === 429 || status === 403)) {
    return refused(
      `${names.provider} has no credit left for this key (${said})`,
      "Top up the account, or configure another model.",
    );
  }
  if (status === 403 && /flagged|moderation/.test(words)) return { kind: "filtered", reason: said };
  if (status === 401 || status === 403) return keyRefused(said, names);
  if (status === 402)
    return refused(
      `${names.provider} wants to be paid (${said})`,
      "Top up the account, or configure another model.",
    );
  // A request larger than a whole minute's budget: no wait helps, a shorter conversation does.
  if (status === 413 || (status === 429 && words.includes("request too large"))) return overflow(said, names);
  if (status !== 429 && isOverflow(words)) return overflow(said, names);
  if (status === 429)
    return { kind: "rate-limited", reason: `${names.provider} limits the rate (${said})`, waitMs };
  if (status !== null && status >= 300 && status < 400) return redirected(said, names);
  if (FILTERED.test(words)) return { kind: "filtered", reason: said };
  if (status === 404 || (isBadRequest(status) && UNKNOWN_MODEL.test(words))) return unknownModel(said, names);
  if (isBadRequest(status)) {
    return { kind: "invalid", refusal: refusal.text, error: invalid(said, words, names) };
  }
  return { kind: "passing", reason: `${names.provider} failed (${said})`, waitMs, tries: 1 };
};

/** 408, 409 and 425 pass; every other 4xx is about the request itself. */
const isBadRequest = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 409, 425].includes(status);

const isOverflow = (words: string): boolean =>
  OVERFLOW_CODES.test(words) ||
  (!TOO_MANY_OUTPUT.test(words) && OVERFLOW_TEXT.some((pattern) => pattern.test(words)));

const final = (message: string, options: AppErrorOptions): Failure => ({
  kind: "final",
  error: new AppError(message, options),
});

const refused = (message: string, hint: string): Failure =>
  final(message, { code: "model-refused", remedy: "fix-config", hint });

const keyRefused = (said: string, { provider, apiKeyEnv }: Names): Failure =>
  apiKeyEnv === null
    ? refused(
        `${provider} wants a key (${said})`,
        `Name the environment variable that holds it as providers.${provider}.apiKeyEnv in config.yaml.`,
      )
    : refused(
        `${provider} refused the key in ${apiKeyEnv} (${said})`,
        `Set ${apiKeyEnv} to a key of ${provider} that may use this model.`,
      );

const unknownModel = (said: string, { alias, model, provider, baseUrl }: Names): Failure =>
  refused(
    `${provider} does not know the model ${model}, or has no API at ${baseUrl} (${said})`,
    `Check models.${alias}.name and providers.${provider}.baseUrl (OPENAI_MODEL and OPENAI_BASE_URL without a config.yaml).`,
  );

const redirected = (said: string, { provider, baseUrl }: Names): Failure =>
  refused(
    `${provider} redirects ${baseUrl} elsewhere, which is not followed with a key (${said})`,
    `Set providers.${provider}.baseUrl (or OPENAI_BASE_URL) to the final address, up to and including /v1.`,
  );

const overflow = (said: string, { provider, model }: Names): Failure =>
  final(`the conversation is too long for ${model} of ${provider} (${said})`, {
    code: "model-context-overflow",
    remedy: "retry",
  });

const invalid = (said: string, words: string, { alias, provider }: Names): AppError =>
  new AppError(`${provider} refused the request (${said})`, {
    code: "model-request-invalid",
    remedy: "fix-config",
    hint: TOO_MANY_OUTPUT.test(words)
      ? `Set models.${alias}.maxOutputTokens in config.yaml to what the model allows.`
      : `Check models.${alias} and providers.${provider} in config.yaml: the model must take tools, and the api must be the right one.`,
  });
