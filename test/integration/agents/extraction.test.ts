import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import type { ModelScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

const workflow = `version: 1
name: count
description: One role, once.
roles:
  counter:
    description: Counts.
    systemPrompt: You count.
    schema:
      type: object
      properties: { verdict: { enum: [enough, too_few] }, count: { type: integer } }
      required: [verdict, count]
moderator:
  - { from: $START, to: counter }
  - { from: counter, to: $END }
`;

let home: UwfHome;
let server: ModelServer;
let answers: object[];

const script: ModelScript = () => ({
  toolCalls: [{ name: "resolve", arguments: JSON.stringify(answers.shift() ?? {}) }],
});

beforeEach(async () => {
  home = uwfHome();
  server = await modelServer({ script });
  writeFileSync(join(home.cwd, "count.yaml"), workflow);
  const program = join(home.cwd, "counter");
  writeFileSync(program, "#!/bin/sh\ncat >/dev/null\necho 'I have looked. There are 12 of them: too few.'\n");
  chmodSync(program, 0o755);
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const agents = { counter: { command: program, protocol: "text", sandbox: "none" } };
  writeFileSync(join(home.root, "config.yaml"), JSON.stringify({ agents, defaultAgent: "counter" }));
});
afterEach(async () => {
  await server.close();
  home.dispose();
});

const uwf = (...words: string[]) =>
  home.uwf(words, { env: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted", OPENAI_API_KEY: "k" } });
const run = async () => {
  const started = JSON.parse(
    (await uwf("thread", "start", "count.yaml", "--input", "Count.", "--json")).stdout,
  );
  await uwf("thread", "run", started.id, "--unsafe-no-sandbox");
  const [thread] = JSON.parse((await uwf("thread", "list", "--json")).stdout);
  return { thread };
};

describe("the output of a program that knows nothing of frontmatter", () => {
  it("is found in its text by a model, which is corrected where it invents", async () => {
    answers = [{ output: { verdict: "enough", count: 12 } }, { output: { verdict: "too_few", count: 12 } }];

    const { thread } = await run();

    expect(thread).toMatchObject({ status: "completed" });
    const step = JSON.parse((await uwf("thread", "step-details", thread.id, "1", "--json")).stdout);
    expect(step.output).toEqual({ verdict: "too_few", count: 12 });
    expect(step.turns).toMatchObject([
      { kind: "message", text: expect.stringContaining("Count.") },
      { kind: "reply", model: "counter", content: expect.stringContaining("There are 12 of them") },
      { kind: "message", text: expect.stringContaining('The output of the role "counter" has to be found') },
      { kind: "reply", model: "scripted" },
      { kind: "tool", ok: false, text: expect.stringContaining('verdict: "enough" is not in the text') },
      { kind: "reply", model: "scripted" },
    ]);
  });

  it("fails its thread when the text does not say it", async () => {
    answers = [{ missing: ["count"] }];

    const { thread } = await run();

    expect(thread).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("does not say: count."),
    });
  });
});
