import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Context } from "../context.ts";
import { type Answers, defaultAnswers } from "./answers.ts";

/** Asks on the terminal for what has not been given; Enter takes what stands in brackets. */
export const askForAnswers = async (given: Partial<Answers>, context: Context): Promise<Answers> => {
  const screen = mutedScreen(context);
  const terminal = createInterface({ input: context.stdin, output: screen.stream, terminal: true });
  const signal = context.interruption(() => context.stdout.write("\n"));
  const ask = (question: string) => terminal.question(question, { signal });
  try {
    context.stdout.write("A provider is any server that speaks OpenAI's API.\n\n");
    const text = textAsker(ask);
    const providerUrl = given.providerUrl ?? (await text("Address, up to /v1", defaultAnswers.providerUrl));
    const apiKeyEnv =
      given.apiKeyEnv ?? (await text("Variable that holds the key", defaultAnswers.apiKeyEnv));
    const key =
      (context.env[apiKeyEnv] ?? "") === "" && apiKeyEnv !== ""
        ? await askKey(terminal, screen, apiKeyEnv)
        : null;
    const model = given.model ?? (await text("Model, as the provider names it", null));
    const number = numberAsker(ask);
    return {
      providerUrl,
      apiKeyEnv,
      key,
      model,
      contextTokens: given.contextTokens ?? (await number("Tokens it can read at once", 128_000)) ?? 128_000,
      priceIn: given.priceIn ?? (await number("Dollars per million tokens read", null)),
      priceCached:
        given.priceCached ?? (await number("Dollars per million tokens read from the cache", null)),
      priceOut: given.priceOut ?? (await number("Dollars per million tokens written", null)),
      budgetUsd: given.budgetUsd ?? (await number("Dollars that one thread may spend", 5)) ?? 5,
    };
  } finally {
    terminal.close();
  }
};

type Ask = (question: string) => Promise<string>;

const textAsker =
  (ask: Ask) =>
  async (question: string, usual: string | null): Promise<string> => {
    for (;;) {
      const answer = (await ask(`${question}${usual === null ? "" : ` [${usual}]`}: `)).trim();
      if (answer !== "") return answer;
      if (usual !== null) return usual;
    }
  };

const numberAsker =
  (ask: Ask) =>
  async (question: string, usual: number | null): Promise<number | null> => {
    for (;;) {
      const answer = (await ask(`${question} [${usual ?? "unknown"}]: `)).trim();
      if (answer === "") return usual;
      const number = Number(answer);
      if (Number.isFinite(number) && number >= 0) return number;
    }
  };

type Screen = { stream: Writable; mute(): void; unmute(): void };

/** A key that is typed or pasted does not appear on the screen. */
const askKey = async (terminal: Interface, screen: Screen, name: string): Promise<string | null> => {
  const answer = terminal.question(`Key, to be kept in .env (not shown; Enter to set ${name} yourself): `);
  screen.mute();
  const key = (await answer).trim();
  screen.unmute();
  screen.stream.write("\n");
  return key === "" ? null : key;
};

const mutedScreen = ({ stdout }: Pick<Context, "stdout">): Screen => {
  let muted = false;
  const stream = new Writable({
    write: (piece, _, done) => {
      if (!muted) stdout.write(String(piece));
      done();
    },
  });
  return { stream, mute: () => (muted = true), unmute: () => (muted = false) };
};
