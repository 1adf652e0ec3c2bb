import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { askForAnswers } from "../../../../src/cli/setup/ask.ts";
import { fakeContext } from "../../../fixtures/fake-context.ts";

/** Somebody who types the next answer whenever the screen ends with a question. */
const typing = (answers: readonly string[]) => {
  const context = fakeContext({ env: { OPENAI_API_KEY: "k" } });
  const stdin = new PassThrough();
  const left = [...answers];
  const write = context.stdout.write;
  context.stdout.write = (text) => {
    write(text);
    if (text.endsWith(": ") && left.length > 0) setImmediate(() => stdin.write(`${left.shift()}\n`));
  };
  return { ...context, stdin };
};

const given = { providerUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "OPENAI_API_KEY" };
const prices = { priceIn: 1, priceCached: 0, priceOut: 2 };

it("says why a question comes again", async () => {
  const context = typing(["", "m", "12", "many", "64000", "0", "2.5"]);

  const answers = await askForAnswers({ ...given, ...prices }, context);

  expect(answers).toMatchObject({ model: "m", contextTokens: 64_000, budgetUsd: 2.5 });
  const screen = context.stdout.text();
  expect(screen).toContain("This one is needed.\n");
  expect(screen.split("A number of 1000 or more, please; Enter for 128000.\n")).toHaveLength(3);
  expect(screen).toContain("A number of 0.01 or more, please; Enter for 5.\n");
});

it("takes what stands in brackets on Enter", async () => {
  const answers = await askForAnswers({ ...given, model: "m" }, typing(["", "", "", "", ""]));

  expect(answers).toMatchObject({
    contextTokens: 128_000,
    priceIn: null,
    priceCached: null,
    priceOut: null,
    budgetUsd: 5,
  });
});

it("takes no key for the name of the variable that holds it", async () => {
  const context = typing(["sk-test-123", "some words", "OPENAI_API_KEY", "m", "", "", ""]);

  const answers = await askForAnswers({ providerUrl: given.providerUrl, ...prices }, context);

  expect(answers).toMatchObject({ apiKeyEnv: "OPENAI_API_KEY", model: "m" });
  expect(context.stdout.text().split("the key itself is asked for next")).toHaveLength(3);
});
