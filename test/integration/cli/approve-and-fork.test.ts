import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type RoleStep, roleScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

const workflow = `version: 1
name: planned
description: A plan, and the work.
roles:
  planner:
    description: Plans.
    approval: required
    systemPrompt: You are the **planner**.
    schema: { type: object, required: [plan], properties: { plan: { type: string } } }
  worker:
    description: Works.
    systemPrompt: You are the **worker**.
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
moderator:
  - { from: $START, to: planner }
  - { from: planner, to: worker, prompt: "Do this: {{ plan }}" }
  - { from: worker, to: $END }
`;

const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, costUsd: null };
const resolves = (output: object): RoleStep => ({
  toolCalls: [{ name: "resolve", arguments: JSON.stringify(output) }],
  usage,
});

let home: UwfHome;
let server: ModelServer;
beforeEach(async () => {
  home = uwfHome();
  writeFileSync(join(home.cwd, "planned.yaml"), workflow);
  const script = roleScript({
    planner: [resolves({ plan: "Greet." })],
    worker: [resolves({ status: "done" })],
  });
  server = await modelServer({ script });
});
afterEach(async () => {
  await server.close();
  home.dispose();
});

const uwf = (...args: string[]) =>
  home.uwf(args, { env: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted" } });
const json = async (...args: string[]) => JSON.parse((await uwf(...args, "--json")).stdout);
const run = (id: string) => uwf("thread", "run", id, "--unsafe-no-sandbox");

/** A thread whose plan waits for approval. */
const waiting = async (): Promise<string> => {
  const { id } = await json("thread", "start", "planned.yaml", "--input", "Say hello");
  expect((await run(id)).exitCode).toBe(3);
  return id;
};

describe("uwf thread resume --approve", () => {
  it("lets the thread go on with the answer that waits; to resume alone does not", async () => {
    const id = await waiting();

    const shown = await uwf("thread", "show", id);
    const resumed = await uwf("thread", "resume", id);
    const approved = await uwf("thread", "resume", "--approve", id, "Mind", "the tests.");
    const again = await uwf("thread", "resume", "--approve", id);

    expect(shown.stdout).toContain("Waits for the approval of what was answered.");
    expect(shown.stdout).toContain(
      `go on with it           uwf thread resume --approve ${id.slice(0, 13)}\n`,
    );
    expect(resumed).toMatchObject({ exitCode: 2, stdout: "" });
    expect(resumed.stderr).toContain("waits for the approval");
    expect(resumed.stderr).toContain(`uwf thread resume --approve ${id}`);
    expect(approved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(approved.stdout).toContain(": queued\n");
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toContain("is queued: nothing waits for approval");
    expect((await run(id)).exitCode).toBe(0);
    const steps = await json("thread", "steps", id);
    expect(steps[1].task).toBe("Do this: Greet.\n\nA person who may decide adds:\n\nMind the tests.");
  });

  it("says so to programs", async () => {
    const id = await waiting();

    expect(await json("thread", "show", id)).toMatchObject({ status: "suspended", toApprove: true });
    await uwf("thread", "resume", "--approve", id);
    expect(await json("thread", "show", id)).toMatchObject({ status: "queued", toApprove: false });
  });
});

describe("uwf thread fork", () => {
  it("goes on from a step in a thread of its own, with a note", async () => {
    const id = await waiting();

    const forked = await json("thread", "fork", id, "--at", "1", "--note", "In two steps.");
    const text = await uwf(
      "thread",
      "fork",
      id,
      "--at",
      (await json("thread", "steps", id))[0].hash.slice(0, 9),
    );

    expect(forked).toMatchObject({ title: "Say hello", status: "queued" });
    expect(forked.id).not.toBe(id);
    expect(text).toMatchObject({ exitCode: 0, stderr: "" });
    expect(text.stdout).toMatch(/^[0-9A-Z]{13} Say hello: queued\nuwf thread run [0-9A-Z]{13} /);
    expect(await json("thread", "list")).toHaveLength(3);
    expect((await uwf("thread", "show", forked.id)).stdout).toContain(`fork of   ${id}\n`);
    expect(await json("thread", "show", id)).toMatchObject({ forkOf: null });
    expect((await run(forked.id)).exitCode).toBe(3);
    const [first, second] = await json("thread", "steps", forked.id);
    expect(first.hash).toBe((await json("thread", "steps", id))[0].hash);
    expect(second).toMatchObject({ role: "planner", task: expect.stringContaining("In two steps.") });
    expect(await json("thread", "steps", id)).toHaveLength(1);
  });

  it("asks for the step, and names those that there are", async () => {
    const id = await waiting();

    const missing = await uwf("thread", "fork", id);
    const unknown = await uwf("thread", "fork", id, "--at", "7");

    expect(missing).toMatchObject({ exitCode: 2 });
    expect(missing.stderr).toContain('"uwf thread fork" needs --at <step>');
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain(`Thread ${id} has no finished step "7"`);
    expect(unknown.stderr).toContain("There are: 1 (planner).");
  });
});
