import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { isRunning } from "../../fixtures/is-running.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type RoleStep, roleScript } from "../../rigs/model-script.ts";
import { modelServer } from "../../rigs/model-server.ts";

const workflow = `version: 1
name: two-steps
description: Two roles.
roles:
  finder:
    description: Finds.
    systemPrompt: You find.
    schema: { type: object, properties: { found: { type: string } }, required: [found] }
  writer:
    description: Writes.
    systemPrompt: You write.
    publish: pull-request
    schema:
      type: object
      properties: { title: { type: string }, body: { type: string } }
      required: [title, body]
moderator:
  - { from: $START, to: finder }
  - { from: finder, to: writer, prompt: "Write {{ found }}." }
  - { from: writer, to: $END }
`;

let home: UwfHome;
let repository: string;
const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });

const program = (name: string, text: string): string => {
  const path = join(home.cwd, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

beforeEach(() => {
  home = uwfHome();
  repository = join(home.cwd, "repository");
  mkdirSync(repository);
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "readme.md"), "# Greetings\n");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  writeFileSync(join(home.cwd, "two-steps.yaml"), workflow);
  program("find", `#!/bin/sh\necho '{"found": "'"$1"'"}'\n`);
  program("write", `#!/bin/sh\necho hi >greeting.txt\necho '{"title": "Greet", "body": "Says hi."}'\n`);
});
afterEach(() => home.dispose());

const solveIn = (sandbox: "bubblewrap" | "none", ...agents: string[]) =>
  home.uwf([
    ...["solve", "--repo", "repository", "--issue", "Greet people", "--workflow", "two-steps.yaml", "--json"],
    ...(sandbox === "none" ? ["--unsafe-no-sandbox"] : []),
    ...agents.flatMap((agent) => ["--agent", agent]),
  ]);
const solve = (...agents: string[]) => solveIn("none", ...agents);

const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, costUsd: null };
const calls = (name: string, args: object): RoleStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
  usage,
});

/** A model for roles that are told who they are; uwf's own programs find it in the storage root's `.env`. */
const withModel = async (roles: Record<string, RoleStep[]>, work: () => Promise<void>): Promise<void> => {
  const named = workflow
    .replace("You find.", "You are the **finder**.")
    .replace("You write.", "You are the **writer**.");
  writeFileSync(join(home.cwd, "two-steps.yaml"), named);
  const server = await modelServer({ script: (request) => roleScript(roles)(request) });
  try {
    mkdirSync(home.root, { mode: 0o700 });
    const env = `OPENAI_BASE_URL=${server.url}\nOPENAI_MODEL=scripted\n`;
    writeFileSync(join(home.root, ".env"), env, { mode: 0o600 });
    await work();
  } finally {
    await server.close();
  }
};

const published = (path: string): string => {
  const [branch = ""] = git("branch", "--list", "uwf/*", "--format=%(refname:short)").split("\n");
  return git("show", `${branch}:${path}`);
};

describe("a program whose uwf was killed", () => {
  it("is ended before the step is played again", async () => {
    const pidFile = join(home.cwd, "pid");
    program(
      "find",
      `#!/bin/sh
if [ -e ${pidFile} ]; then echo '{"found": "it"}'; exit; fi
echo $$ >${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 300
`,
    );
    const agents = ["--agent", "finder=meta:./find", "--agent", "meta:./write"];
    const start = ["thread", "start", "two-steps.yaml", "--input", "Greet", "--json", ...agents];
    const { id } = JSON.parse((await home.uwf(start)).stdout) as { id: string };
    const killed = home.start(["thread", "run", id]);
    await expect.poll(() => existsSync(pidFile), { timeout: 20_000 }).toBe(true);
    const pid = Number(readFileSync(pidFile, "utf8"));
    killed.kill("SIGKILL");
    await killed.finished;
    expect(isRunning(pid)).toBe(true);

    const { stdout } = await home.uwf(["thread", "run", id, "--json"]);

    expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
    expect(isRunning(pid)).toBe(false);
  });
});

describe("uwf-builtin", () => {
  it("plays a step with the built-in loop, its model and the tools in the thread's files", async () => {
    const roles = {
      finder: [calls("read_file", { path: "readme.md" }), calls("resolve", { found: "a greeting" })],
      writer: [
        calls("shell_exec", { command: "echo hi >greeting.txt" }),
        calls("resolve", { title: "Greet", body: "Says hi." }),
      ],
    };
    await withModel(roles, async () => {
      const { exitCode, stdout, stderr } = await solve("uwf-builtin --model default");

      expect(stderr).toContain("uwf-builtin");
      expect(stderr).toMatch(/answered after \S+, 220 tokens/);
      expect(exitCode).toBe(0);
      const { id } = JSON.parse(stdout) as { id: string };
      const details = await home.uwf(["thread", "step-details", id, "1", "--json"]);
      expect(JSON.parse(details.stdout)).toMatchObject({
        role: "finder",
        output: { found: "a greeting" },
        usage: { inputTokens: 200, outputTokens: 20 },
        turns: [
          { kind: "message", text: expect.stringContaining("Greet people") },
          { kind: "reply" },
          { kind: "tool", name: "read_file", text: expect.stringContaining("# Greetings") },
          { kind: "reply" },
        ],
      });
      expect(published("greeting.txt")).toBe("hi\n");
    });
  });

  it("pauses its thread at the budget, as the loop inside of uwf does", async () => {
    const look = calls("read_file", { path: "readme.md" });
    await withModel({ finder: Array.from({ length: 12 }, () => look) }, async () => {
      writeFileSync(join(home.root, "config.yaml"), "limits: { budgetTokens: 900 }\n");

      const { exitCode, stdout } = await solve("uwf-builtin");

      expect(exitCode).toBe(3);
      const { id } = JSON.parse(stdout) as { id: string };
      const shown = JSON.parse((await home.uwf(["thread", "show", id, "--json"])).stdout);
      expect(shown).toMatchObject({
        status: "paused",
        reason: expect.stringMatching(/^The thread's budget of 900 tokens is all but spent \(\d+ tokens\)/),
      });
      expect(shown.usage.inputTokens).toBeGreaterThan(500);
    });
  });

  it("keeps to what the threads around its own have left of the budget", async () => {
    const inner = workflow
      .replace("name: two-steps", "name: inner")
      .replaceAll("writer", "teller")
      .replaceAll("finder", "looker")
      .replace("    publish: pull-request\n", "")
      .replace("You find.", "You are the **looker**.")
      .replace("You write.", "You are the **teller**.");
    const look = calls("read_file", { path: "readme.md" });
    const roles = {
      finder: [look, look, look, calls("resolve", { found: "x" })],
      looker: [look, look, look, calls("resolve", { found: "a greeting" })],
    };
    await withModel(roles, async () => {
      writeFileSync(join(home.cwd, "inner.yaml"), inner);
      const outer = readFileSync(join(home.cwd, "two-steps.yaml"), "utf8")
        .replace("    systemPrompt: You are the **writer**.\n", "    workflow: inner\n")
        .replace("    publish: pull-request\n", "");
      writeFileSync(join(home.cwd, "two-steps.yaml"), outer);
      writeFileSync(join(home.root, "config.yaml"), "limits: { budgetTokens: 900 }\n");
      await home.uwf(["workflow", "put", "inner.yaml"]);

      const { stdout } = await solve("looker=uwf-builtin");

      const { id } = JSON.parse(stdout) as { id: string };
      const shown = JSON.parse((await home.uwf(["thread", "show", id, "--json"])).stdout);
      expect(shown.reason).toMatch(/budget of 900 tokens is all but spent \(770 tokens\)/);
    });
  });

  it.runIf(bubblewrapIsHere())(
    "has its commands in the sandbox, over files that a program made",
    async () => {
      program("find", `#!/bin/sh\numask 077; echo one >greeting.txt\necho '{"found": "it"}'\n`);
      const outside = join(home.cwd, "outside.txt");
      const roles = {
        writer: [
          calls("shell_exec", { command: `echo two >>greeting.txt; echo three >${outside}` }),
          calls("resolve", { title: "Greet", body: "Says hi." }),
        ],
      };
      await withModel(roles, async () => {
        const { exitCode } = await solveIn("bubblewrap", "finder=meta:./find", "writer=uwf-builtin");

        expect(exitCode).toBe(0);
        expect(published("greeting.txt")).toBe("one\ntwo\n");
        expect(existsSync(outside)).toBe(false);
      });
    },
  );
});

describe("uwf solve --agent", () => {
  it("has programs play the roles, with no model configured, and publishes what they made", async () => {
    const { exitCode, stdout, stderr } = await solve("finder=meta:./find 'a greeting'", "meta:./write");

    expect(stderr).toContain("greeting");
    expect(exitCode).toBe(0);
    const { id } = JSON.parse(stdout) as { id: string };
    const steps = await home.uwf(["thread", "steps", id, "--json"]);
    expect(JSON.parse(steps.stdout)).toMatchObject([
      { role: "finder", output: { found: "a greeting" } },
      { role: "writer", task: "Write a greeting.", output: { title: "Greet" } },
    ]);
    expect(published("greeting.txt")).toBe("hi\n");
  });

  it("keeps what a program has said and written about its work, and shows it with the step", async () => {
    program(
      "talk",
      `#!/bin/sh\necho 'I look.' >&2\necho '{"looked": 3}' >"$UWF_TRACE_FILE"\necho '{"found": "it"}'\n`,
    );
    const { stdout } = await solve("finder=meta:./talk", "meta:./write");
    const { id } = JSON.parse(stdout) as { id: string };

    const shown = await home.uwf(["thread", "step-details", id, "1"]);
    const machine = await home.uwf(["thread", "step-details", id, "1", "--json"]);

    expect(shown.stdout).toMatch(
      /\n● kept \S{13}\n {2}I look\.\n\n● kept \S{13}\n {2}\{"looked": 3\}\n\n■ output\n/,
    );
    expect(JSON.parse(machine.stdout).kept).toEqual([
      { hash: expect.any(String), text: "I look.\n" },
      { hash: expect.any(String), text: '{"looked": 3}\n' },
    ]);
  });

  it("pins the agents that it began with", async () => {
    mkdirSync(home.root, { mode: 0o700 });
    writeFileSync(
      join(home.root, "config.yaml"),
      `agents: { mine: { command: ${join(home.cwd, "find")}, args: [from-config] } }\ndefaultAgent: mine\n`,
    );
    const start = ["thread", "start", "two-steps.yaml", "--input", "Greet", "--json"];
    const { stdout } = await home.uwf([...start, "--agent", "writer=meta:./write"]);
    const { id } = JSON.parse(stdout) as { id: string };
    writeFileSync(join(home.root, "config.yaml"), "agents: { mine: { command: gone } }\n");

    const run = await home.uwf(["thread", "run", id, "--json"]);

    expect(JSON.parse(run.stdout)).toMatchObject({ status: "completed" });
    const context = await home.uwf(["thread", "context", id, "--role", "writer"]);
    expect(context).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is of the role "finder", not "writer"'),
    });
  });

  it.each([
    [["finder=bultin"], '"bultin" is no agent of the configuration, and no program; did you mean "builtin"?'],
    [["fnder=meta:./find x", "meta:./write"], 'two-steps has no role "fnder"; did you mean "finder"?'],
  ])("creates nothing for %j", async (agents, message) => {
    const { exitCode, stderr } = await solve(...agents);

    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
    expect(JSON.parse((await home.uwf(["thread", "list", "--json"])).stdout)).toEqual([]);
  });

  it("does not go with a thread that has its agents", async () => {
    const { exitCode, stderr } = await home.uwf(["solve", "--thread", "01JD3Q8M5T", "--agent", "builtin"]);

    expect(stderr).toContain("--agent does not go with --thread");
    expect(exitCode).toBe(2);
  });
});
