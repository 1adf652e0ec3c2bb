import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ThreadId } from "../../src/base/ids.ts";
import { calls, resolves } from "../../src/llm/scripted-model.ts";
import { sqliteStore } from "../../src/store/sqlite-store.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { uwfChild } from "../fixtures/uwf-child.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";

const STEPS = 8;
const workflow = `
version: 1
name: counting
description: One role, ${STEPS} times.
roles:
  counter:
    description: Counts.
    systemPrompt: You are the **counter**.
    schema: { type: object, required: [n], properties: { n: { type: integer } } }
moderator:
  - { from: $START, to: counter }
  - { from: counter, to: counter, when: visits.counter < ${STEPS} }
  - { from: counter, to: $END }
`;

let root: string;
let server: ModelServer;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "uwf-two-"));
  writeFileSync(join(root, "counting.yaml"), workflow);
  server = await modelServer({
    script: ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? resolves({ n: 1 })
        : calls("shell_exec", { command: "echo x >> count.txt; wc -l < count.txt" }),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const uwf = (...args: string[]) =>
  uwfChild(args, {
    PATH: process.env.PATH ?? "",
    HOME: root,
    UWF_STORAGE_ROOT: join(root, "storage"),
    OPENAI_API_KEY: "sk-of-a-scripted-model",
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: "scripted",
  });

it("lets several processes step one thread: each step is taken once, and none is lost", async () => {
  const started = uwf("thread", "start", join(root, "counting.yaml"), "--input", "Count.", "--json");
  expect(await started.ended, started.output()).toBe(0);
  const { id } = JSON.parse(started.output()) as { id: ThreadId };
  const stepping = async () => {
    for (let tries = 0; tries < 60; tries++) {
      const child = uwf("thread", "step", id, "--unsafe-no-sandbox", "--json");
      const code = await child.ended;
      if (code !== 0) expect(child.output()).toMatch(/is being run by|took the thread over|is completed/);
      if (/"(?:state|status)":\s*"completed"/.test(child.output())) return;
    }
  };

  await Promise.all([stepping(), stepping(), stepping()]);

  const store = sqliteStore({ path: join(root, "storage", "uwf.db") });
  const thread = await store.thread(id);
  const { steps } = await store.history(thread?.head ?? ("" as never));
  const counts = await Promise.all(
    steps.map(async ({ step }) => {
      const turns = await store.turns(step.turns ?? ("" as never));
      return turns.flatMap((turn) => (turn.kind === "tool" && turn.name === "shell_exec" ? [turn.text] : []));
    }),
  );
  const damage = [];
  for await (const problem of store.verify()) damage.push(problem);
  await store.close();
  expect(thread?.status).toBe("completed");
  expect(counts.map((texts) => texts.map((text) => Number.parseInt(text, 10)))).toEqual(
    Array.from({ length: STEPS }, (_, index) => [index + 1]),
  );
  expect(damage).toEqual([]);
  await expectNoDrift(join(root, "storage"));
}, 120_000);
