import { numberOption } from "../parse-arguments.ts";

/** What a first configuration says. Money in US dollars; prices per million tokens, null where unknown. */
export type Answers = {
  providerUrl: string;
  /** Empty for a provider that asks for no key. */
  apiKeyEnv: string;
  /** Kept in `.env`; null: nothing is. */
  key: string | null;
  model: string;
  contextTokens: number;
  priceIn: number | null;
  priceCached: number | null;
  priceOut: number | null;
  budgetUsd: number;
};

export const defaultAnswers: Answers = {
  providerUrl: "https://api.openai.com/v1",
  apiKeyEnv: "OPENAI_API_KEY",
  key: null,
  model: "",
  contextTokens: 128_000,
  priceIn: null,
  priceCached: null,
  priceOut: null,
  budgetUsd: 5,
};

type Options = Partial<
  Record<
    | "provider-url"
    | "api-key-env"
    | "model"
    | "context-tokens"
    | "price-in"
    | "price-cached"
    | "price-out"
    | "budget",
    string | undefined
  >
>;

/** The answers that options give. Throws `usage` for what is no number. */
export const answersFrom = (options: Options): Partial<Answers> => {
  const number = (option: keyof Options, min: number): number | undefined => {
    const text = options[option];
    return text === undefined ? undefined : numberOption(text, { name: "setup", option, min });
  };
  const answers = {
    providerUrl: options["provider-url"],
    apiKeyEnv: options["api-key-env"],
    model: options.model,
    contextTokens: number("context-tokens", 1000),
    priceIn: number("price-in", 0),
    priceCached: number("price-cached", 0),
    priceOut: number("price-out", 0),
    budgetUsd: number("budget", 0.01),
  };
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined));
};
