import type { Context } from "../context.ts";
import { type Answers, defaultAnswers } from "./answers.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Asks on the terminal for what has not been given; Enter takes what stands in brackets. */
export const askForAnswers = async (given: Partial<Answers>, context: Context): Promise<Answers> => {
  const terminal = openTerminal(context);
  const { ask, say: again } = terminal;
  try {
    terminal.say("A provider is any server that speaks OpenAI's API.\n");
    const text = textAsker(ask, again);
    const providerUrl = given.providerUrl ?? (await text("Address, up to /v1", defaultAnswers.providerUrl));
    const apiKeyEnv = given.apiKeyEnv ?? (await askVariable(text, again));
    const key =
      (context.env[apiKeyEnv] ?? "") === "" && apiKeyEnv !== "" ? await askKey(terminal, apiKeyEnv) : null;
    const model = given.model ?? (await text("Model, as the provider names it", null));
    const number = numberAsker(ask, again);
    return {
      providerUrl,
      apiKeyEnv,
      key,
      model,
      contextTokens:
        given.contextTokens ??
        (await number("Tokens it can read at once", { usual: defaultAnswers.contextTokens, min: 1000 })),
      priceIn: given.priceIn ?? (await number("Dollars per million tokens read", { usual: null, min: 0 })),
      priceCached:
        given.priceCached ??
        (await number("Dollars per million tokens read from the cache", { usual: null, min: 0 })),
      priceOut:
        given.priceOut ?? (await number("Dollars per million tokens written", { usual: null, min: 0 })),
      budgetUsd:
        given.budgetUsd ??
        (await number("Dollars that one thread may spend", { usual: defaultAnswers.budgetUsd, min: 0.01 })),
    };
  } finally {
    terminal.close();
  }
};

/** A key that is pasted here by mistake would be shown, and kept where keys are not. */
const askVariable = async (text: ReturnType<typeof textAsker>, again: Again): Promise<string> => {
  for (;;) {
    const name = await text("Variable that holds the key", defaultAnswers.apiKeyEnv);
    if (/^[A-Z_][A-Z0-9_]*$/i.test(name) && !/^sk[-_]/i.test(name)) return name;
    again(
      "This is the name of an environment variable, like OPENAI_API_KEY; the key itself is asked for next.",
    );
  }
};

type Ask = (question: string) => Promise<string>;
/** Says why a question comes again. */
type Again = (what: string) => void;

/** Asks until there is an answer; Enter takes `usual`. */
export const textAsker =
  (ask: Ask, again: Again) =>
  async (question: string, usual: string | null): Promise<string> => {
    for (;;) {
      const answer = (await ask(`${question}${usual === null ? "" : ` [${usual}]`}: `)).trim();
      if (answer !== "") return answer;
      if (usual !== null) return usual;
      again("This one is needed.");
    }
  };

const numberAsker =
  (ask: Ask, again: Again) =>
  async <Usual extends number | null>(
    question: string,
    { usual, min }: { usual: Usual; min: number },
  ): Promise<number | Usual> => {
    for (;;) {
      const answer = (await ask(`${question} [${usual ?? "unknown"}]: `)).trim();
      if (answer === "") return usual;
      const number = Number(answer);
      if (Number.isFinite(number) && number >= min) return number;
      again(`A number of ${min} or more, please; Enter for ${usual ?? "unknown"}.`);
    }
  };

const askKey = async (terminal: Terminal, name: string): Promise<string | null> => {
  const key = await terminal.askHidden(
    `Key, to be kept in .env (not shown; Enter to set ${name} yourself): `,
  );
  return key.trim() === "" ? null : key.trim();
};
