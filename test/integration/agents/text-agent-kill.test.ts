import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRunning } from "../../fixtures/is-running.ts";
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
    schema: { type: object, properties: { count: { type: integer } }, required: [count] }
moderator:
  - { from: $START, to: counter }
  - { from: counter, to: $END }
`;

/** Writes down what it was told, and never ends while the file `slow` is there. */
const counter = `#!/bin/sh
echo $$ >> "$PIDS"
cat >> "$CALLS"
echo "=== end of call" >> "$CALLS"
while [ -e "$SLOW" ]; do sleep 0.05; done
echo "I have looked: there are 12 of them."
`;

let home: UwfHome;
let server: ModelServer;
let asked: number;
let hangs: boolean;
let id: string;

const script: ModelScript = () => {
  asked++;
  if (hangs) return { fault: "hang", after: 0 };
  return { toolCalls: [{ name: "resolve", arguments: JSON.stringify({ output: { count: 12 } }) }] };
};

const environment = () => ({
  ...{ OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted", OPENAI_API_KEY: "k" },
  ...{ CALLS: join(home.cwd, "calls"), SLOW: join(home.cwd, "slow"), PIDS: join(home.cwd, "pids") },
});
const uwf = (...words: string[]) => home.uwf(words, { env: environment() });
const start = () => home.start(["thread", "run", id, "--unsafe-no-sandbox"], { env: environment() });
const calls = () => {
  const file = join(home.cwd, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").split("=== end of call\n").slice(0, -1) : [];
};
/** The processes of the program, in the order of its calls. */
const pids = () => readFileSync(join(home.cwd, "pids"), "utf8").trim().split("\n").map(Number);

beforeEach(async () => {
  home = uwfHome();
  [asked, hangs] = [0, false];
  server = await modelServer({ script });
  writeFileSync(join(home.cwd, "count.yaml"), workflow);
  const command = join(home.cwd, "counter");
  writeFileSync(command, counter);
  chmodSync(command, 0o755);
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const agents = { counter: { command, protocol: "text", sandbox: "none", env: ["CALLS", "SLOW", "PIDS"] } };
  writeFileSync(join(home.root, "config.yaml"), JSON.stringify({ agents, defaultAgent: "counter" }));
  id = JSON.parse((await uwf("thread", "start", "count.yaml", "--input", "Count.", "--json")).stdout).id;
});
afterEach(async () => {
  await server.close();
  home.dispose();
});

describe("a worker that is killed", () => {
  it("while the program works runs it again, and tells it so", async () => {
    writeFileSync(join(home.cwd, "slow"), "");
    const killed = start();
    await expect.poll(() => calls().length, { timeout: 20_000 }).toBe(1);
    killed.kill("SIGKILL");
    await killed.finished;
    rmSync(join(home.cwd, "slow"));

    expect(await uwf("thread", "run", id, "--unsafe-no-sandbox")).toMatchObject({ exitCode: 0 });

    expect(calls()).toHaveLength(2);
    expect(calls()[0]).not.toContain("was cut off");
    expect(calls()[1]).toContain("An earlier attempt at this was cut off.");
    expect(calls()[1]).toContain("Count.");
  });

  it("while the program works leaves it behind, which is ended before it runs again", async () => {
    writeFileSync(join(home.cwd, "slow"), "");
    const killed = start();
    await expect.poll(() => calls().length, { timeout: 20_000 }).toBe(1);
    killed.kill("SIGKILL");
    await killed.finished;
    const again = start();
    await expect.poll(() => calls().length, { timeout: 20_000 }).toBe(2);

    expect(pids().map(isRunning)).toEqual([false, true]);
    rmSync(join(home.cwd, "slow"));
    expect(await again.finished).toMatchObject({ exitCode: 0 });
  });

  it("while the program works leaves it behind, which is ended when the thread is cancelled", async () => {
    writeFileSync(join(home.cwd, "slow"), "");
    const killed = start();
    await expect.poll(() => calls().length, { timeout: 20_000 }).toBe(1);
    killed.kill("SIGKILL");
    await killed.finished;

    expect(await uwf("thread", "cancel", id)).toMatchObject({ exitCode: 0 });

    expect(pids().map(isRunning)).toEqual([false]);
    rmSync(join(home.cwd, "slow"));
  });

  it("while a model looks for the output asks the model again, and not the program", async () => {
    hangs = true;
    const killed = start();
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
    killed.kill("SIGKILL");
    await killed.finished;
    hangs = false;

    expect(await uwf("thread", "run", id, "--unsafe-no-sandbox")).toMatchObject({ exitCode: 0 });

    expect(calls()).toHaveLength(1);
    const { output, turns } = JSON.parse((await uwf("thread", "step-details", id, "1", "--json")).stdout);
    expect(output).toEqual({ count: 12 });
    expect(turns.map(({ kind }: { kind: string }) => kind)).toEqual(["message", "reply", "message", "reply"]);
  });
});
