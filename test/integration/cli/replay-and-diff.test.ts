import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../../src/llm/scripted-model.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type RoleStep, roleScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

const workflow = (when = "output.lines == 2") => `version: 1
name: lines
description: One looks, one writes.
roles:
  looker:
    description: Looks.
    systemPrompt: You are the **looker**.
    schema: { type: object, required: [lines], properties: { lines: { type: integer }, note: { type: string } } }
  writer:
    description: Writes.
    systemPrompt: You are the **writer**.
    schema: { type: object, required: [status, summary], properties: { status: { enum: [done, failed] }, summary: { type: string } } }
moderator:
  - { from: $START, to: looker }
  - { from: looker, to: writer, when: "${when}", prompt: "There are {{ lines }} lines. Write the third." }
  - { from: looker, to: $END }
  - { from: writer, to: $END }
`;

const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, costUsd: null };
const call = (name: string, args: object): ScriptedReply => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
  usage,
});
const shell = (command: string) => call("shell_exec", { command });
const resolves = (output: object) => call("resolve", output);

/** The second reply where the task has the fork's note. */
const asNumber =
  (reply: ScriptedReply, other: ScriptedReply): RoleStep =>
  ({ messages }) =>
    messages.some(({ content }) => content.includes("As a number.")) ? other : reply;

let home: UwfHome;
let source: GitSource;
let server: ModelServer;
beforeEach(async () => {
  home = uwfHome();
  source = gitSource({ "a.txt": "one\ntwo\n" });
  writeFileSync(join(home.cwd, "lines.yaml"), workflow());
  writeFileSync(join(home.cwd, "stricter.yaml"), workflow("output.lines > 2"));
  server = await modelServer({
    script: roleScript({
      looker: [call("read_file", { path: "a.txt" }), shell("wc -l < a.txt"), resolves({ lines: 2 })],
      writer: [
        asNumber(
          shell("echo three >> a.txt; cat /proc/sys/kernel/random/uuid > id.txt; date"),
          shell("echo 3 >> a.txt; echo more > b.txt"),
        ),
        asNumber(
          resolves({ status: "done", summary: "Wrote the third line." }),
          resolves({ status: "done", summary: "Wrote it as a number." }),
        ),
      ],
    }),
  });
});
afterEach(async () => {
  await server.close();
  source.dispose();
  home.dispose();
});

const uwf = (...args: string[]) =>
  home.uwf(args, { env: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted" } });
const json = async (...args: string[]) => JSON.parse((await uwf(...args, "--json")).stdout);

const ran = async (): Promise<string> => {
  const { id } = await json(
    "thread",
    "start",
    "lines.yaml",
    "--repo",
    source.repository,
    "--input",
    "Add a third line",
  );
  expect((await uwf("thread", "run", id, "--unsafe-no-sandbox")).exitCode).toBe(0);
  return id;
};

const replay = (...args: string[]) => uwf("thread", "replay", ...args, "--unsafe-no-sandbox");

describe("uwf thread replay", () => {
  it("shows each step, and exactly what differs", async () => {
    const id = await ran();
    const asked = server.requests.length;

    const shown = await replay(id);
    const machine = await replay(id, "--json");

    expect(shown.exitCode).toBe(1);
    expect(shown.stdout.replaceAll(/\d+\.\ds/g, "0.0s")).toMatch(
      /^Add a third line [0-9A-Z]{26}\n✓ 1 looker {2}2 calls, 0\.0s\n✗ 2 writer {2}1 call, 0\.0s\n {4}≠ id\.txt: has other contents\.\n {8}- \S{36}\n {8}\+ \S{36}\n\n1 difference from the record in 2 steps and 3 calls by lines\.\n$/,
    );
    expect(machine.exitCode).toBe(1);
    expect(JSON.parse(machine.stdout)).toMatchObject({
      thread: id,
      drift: [{ kind: "file", step: 2, role: "writer", what: "id.txt: has other contents.", call: null }],
      remarks: [],
      workflow: { name: "lines" },
    });
    expect(server.requests).toHaveLength(asked);
  });

  it("shows where another workflow would go, and says so of one that there is not", async () => {
    const id = await ran();

    const stricter = await replay(id, "--workflow", "stricter.yaml");
    const missing = await replay(id, "--workflow", "missing.yaml");

    expect(stricter.exitCode).toBe(1);
    expect(stricter.stdout).toContain("≠ The workflow ends, and went on with writer.\n");
    expect(missing).toMatchObject({ exitCode: 2, stdout: "" });
    expect(missing.stderr).toContain("there is no workflow file");
  });
});

describe("uwf thread fork --agent --model, and uwf thread diff", () => {
  it("lets others play, and shows what two threads share and where they part", async () => {
    mkdirSync(home.root, { mode: 0o700 });
    writeFileSync(
      join(home.root, "config.yaml"),
      `providers: { scripted: { baseUrl: "${server.url}", apiKeyEnv: null } }
models: { default: { provider: scripted, name: scripted }, large: { provider: scripted, name: scripted-large } }
agents: { careful: { adapter: react } }
`,
    );
    const id = await ran();
    const args = ["thread", "fork", id, "--at", "1", "--note", "As a number."];

    const fork = await json(...args, "--agent", "writer=careful", "--model", "large");
    const unknown = await uwf(...args, "--agent", "writr=careful");
    const unmodelled = await uwf(...args, "--model", "largest");
    expect((await uwf("thread", "run", fork.id, "--unsafe-no-sandbox")).exitCode).toBe(0);
    const shown = await uwf("thread", "diff", id, fork.id);
    const machine = await json("thread", "diff", id, fork.id);
    const verified = await uwf("cas", "verify");

    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain('has no role "writr"; did you mean "writer"?');
    expect(unmodelled).toMatchObject({ exitCode: 2 });
    expect(unmodelled.stderr).toContain('no model is called "largest"');
    expect(verified.exitCode).toBe(0);
    expect(shown.exitCode).toBe(0);
    expect(
      shown.stdout.replaceAll(/[0-9A-Z]{13}(?:[0-9A-Z]{13})?/g, "ID").replaceAll(/\d+\.\ds/g, "0.0s"),
    ).toBe(
      `- Add a third line ID
    completed
    1 step of its own: 1 call, 2.2k tokens, 0.0s
+ Add a third line ID
    completed
    1 step of its own: 1 call, 2.2k tokens, 0.0s

They share 1 step, and part after step 1:
  1 looker  ID

2 writer
  - builtin (scripted)  ID  1 call, 2.2k tokens, 0.0s
  + careful (scripted-large)  ID  1 call, 2.2k tokens, 0.0s
    task
      + A person who may decide adds:
      + As a number.
    output
      - summary: Wrote the third line.
      + summary: Wrote it as a number.
    files
      M a.txt   +1 -1
      A b.txt   +1 -0
      D id.txt  +0 -1
`,
    );
    expect(machine).toMatchObject({
      a: { id, steps: 1 },
      b: { id: fork.id, steps: 1 },
      shared: [{ number: 1, role: "looker" }],
      steps: [
        {
          role: "writer",
          a: { number: 2, agent: "builtin (scripted)", calls: 1 },
          b: { number: 2, agent: "careful (scripted-large)", calls: 1 },
          files: [
            { path: "a.txt", status: "M", added: 1, removed: 1 },
            { path: "b.txt", status: "A", added: 1, removed: 0 },
            { path: "id.txt", status: "D", added: 0, removed: 1 },
          ],
        },
      ],
    });
  });

  it("compares threads that have nothing but the workflow in common", async () => {
    const first = await ran();
    source.commit({ "c.txt": "c\n" });
    const second = await ran();

    const shown = await uwf("thread", "diff", first, second);
    const same = await uwf("thread", "diff", first, first);
    const missing = await uwf("thread", "diff", first, "01JD3Q8M5TABCDEFGHJKMNPQRS");

    expect(shown.stdout).toContain("They share no step.");
    expect(shown.stdout).toContain("They began with different commits: ");
    expect(same.stdout).toContain("They share 2 steps, and neither has another:");
    expect(missing).toMatchObject({ exitCode: 2 });
  });
});
