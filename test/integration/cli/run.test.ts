import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type RoleStep, roleScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

const workflow = `version: 1
name: one-step
description: One role, once.
roles:
  worker:
    description: Does it.
    systemPrompt: You are the **worker**.
    publish: pull-request
    schema:
      type: object
      properties: { title: { type: string }, body: { type: string } }
      required: [title, body]
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END }
`;

const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, costUsd: null };
const calls = (name: string, args: object): RoleStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
  usage,
});
const writes = calls("write_file", { path: "greeting.txt", content: "hello\n" });
const answers = calls("resolve", { title: "Greet", body: "Says hello." });

let home: UwfHome;
let server: ModelServer;
let script: RoleStep[];
let repository: string;
const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });

beforeEach(async () => {
  home = uwfHome();
  repository = join(home.cwd, "repository");
  mkdirSync(repository);
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "readme.md"), "# Greetings\n");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  writeFileSync(join(home.cwd, "one-step.yaml"), workflow);
  script = [writes, answers];
  server = await modelServer({ script: (request) => roleScript({ worker: script })(request) });
});
afterEach(async () => {
  await server.close();
  home.dispose();
});

const environment = () => ({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted" });
const solve = [
  "solve",
  "--repo",
  "repository",
  "--issue",
  "Say hello\nIn a file.",
  "--workflow",
  "one-step.yaml",
  "--unsafe-no-sandbox",
];
const uwf = (...args: string[]) => home.uwf(args, { env: environment() });
const onlyThread = async () => JSON.parse((await uwf("thread", "list", "--json")).stdout)[0];

/** Waits for the file that the command makes before it sleeps. */
const commandBegun = async () => {
  while (!readdirSync(home.root, { recursive: true }).some((path) => basename(String(path)) === "marker"))
    await new Promise((done) => setTimeout(done, 50));
};

describe("uwf solve", () => {
  it("leaves a branch and says so, exit code 0", async () => {
    const { exitCode, stdout, stderr } = await uwf(...solve);

    expect(exitCode).toBe(0);
    expect(stderr).toContain("NO SANDBOX");
    expect(stdout).toContain("● worker step 1\n  ✓ write_file   greeting.txt");
    expect(stdout).toContain("  ↑ uwf/say-hello ");
    expect(stdout).toContain(`git -C ${repository} diff main...uwf/say-hello`);
    expect(git("show", "uwf/say-hello:greeting.txt")).toBe("hello\n");
    expect(git("log", "-1", "--format=%s", "uwf/say-hello")).toBe("Greet\n");
  });

  it("prints JSON and nothing else on standard output", async () => {
    const { exitCode, stdout, stderr } = await uwf(...solve, "--json", "--budget", "2.5");

    expect(exitCode).toBe(0);
    expect(stderr).toContain("● worker step 1");
    expect(JSON.parse(stdout)).toMatchObject({
      title: "Say hello",
      status: "completed",
      input: "Say hello\n\nIn a file.",
      limits: { budgetUsd: 2.5 },
      roles: [{ role: "worker", steps: 1 }],
      published: { branch: "uwf/say-hello", url: null, title: "Greet" },
      usage: { inputTokens: 2000, outputTokens: 200 },
    });
  });

  describe("with a workflow of which no role publishes", () => {
    beforeEach(() => {
      writeFileSync(join(home.cwd, "one-step.yaml"), workflow.replace("    publish: pull-request\n", ""));
    });

    it("leaves what was changed on a branch", async () => {
      const { exitCode, stdout } = await uwf(...solve);
      const shown = await uwf("thread", "show", (await onlyThread()).id, "--json");

      expect(exitCode).toBe(0);
      expect(stdout).toContain("branch      uwf/say-hello\n");
      expect(stdout).toContain(`git -C ${repository} diff main...uwf/say-hello`);
      expect(git("show", "uwf/say-hello:greeting.txt")).toBe("hello\n");
      expect(git("log", "-1", "--format=%s", "uwf/say-hello")).toBe("Say hello\n");
      expect(JSON.parse(shown.stdout)).toMatchObject({ published: null, branch: "uwf/say-hello" });
    });

    it("makes no branch where nothing was changed", async () => {
      script = [answers];

      const { exitCode, stdout } = await uwf(...solve);

      expect(exitCode).toBe(0);
      expect(stdout).not.toContain("branch");
      expect(git("branch", "--format=%(refname:short)")).toBe("main\n");
    });

    it("says why what was changed is on no branch", async () => {
      script = [calls("write_file", { path: ".github/workflows/ci.yml", content: "on: push\n" }), answers];

      const { exitCode, stderr } = await uwf(...solve);

      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/Files were changed, but are on no branch: .*\.github\/workflows\/ci\.yml/);
      expect(git("branch", "--format=%(refname:short)")).toBe("main\n");
    });
  });

  it("stops at Ctrl-C with the thread handed back, and goes on with it", async () => {
    script = [
      calls("shell_exec", { command: "test -e marker || { touch marker; sleep 60; }" }),
      writes,
      answers,
    ];
    const first = home.start(solve, { env: environment() });
    await first.said("worker step 1");
    await commandBegun();
    first.kill("SIGINT");

    const stopped = await first.finished;
    const { id, status } = await onlyThread();
    const second = await uwf("solve", "--thread", id, "--unsafe-no-sandbox");

    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toContain(`\`uwf thread run ${id.slice(0, 13)}\` goes on.`);
    expect(status).toBe("queued");
    expect(second.stdout).toContain("taken up where it was left");
    expect(second.exitCode).toBe(0);
    expect(git("show", "uwf/say-hello:greeting.txt")).toBe("hello\n");
  });

  it("goes on after a kill, and only shows what is done already", async () => {
    script = [
      calls("shell_exec", { command: "test -e marker || { touch marker; sleep 60; }" }),
      writes,
      answers,
    ];
    const first = home.start(solve, { env: environment() });
    await first.said("worker step 1");
    await commandBegun();
    first.kill("SIGKILL");
    await first.finished;
    const { id } = await onlyThread();

    const second = await uwf("thread", "run", id, "--unsafe-no-sandbox");
    const third = await uwf("thread", "run", id, "--unsafe-no-sandbox");

    expect(second.exitCode).toBe(0);
    expect(third.exitCode).toBe(0);
    expect(third.stdout).toContain("state       completed");
    expect(third.stdout).not.toContain("worker step");
  });

  it("waits for a person with exit code 3, and goes on with the answer", async () => {
    script = [calls("resolve", { $status: "$SUSPEND", reason: "Which language?" })];

    const asked = await uwf(...solve);
    const { id } = await onlyThread();
    script = [writes, answers];
    const resumed = await uwf("thread", "resume", id, "English", "please");
    const done = await uwf("thread", "run", id, "--unsafe-no-sandbox");

    expect(asked.exitCode).toBe(3);
    expect(asked.stdout).toContain("suspended: Which language?");
    expect(resumed.stdout).toContain("Say hello: queued");
    expect(done.exitCode).toBe(0);
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain("English please");
  });

  it("says what failed, exit code 1, and keeps the thread", async () => {
    script = [];

    const { exitCode, stdout, stderr } = await uwf(...solve);

    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("the script of worker is over");
    expect((await onlyThread()).status).toBe("failed");
  });

  it.each([
    [["--model", "nope"], 'no model is called "nope"'],
    [["--workflow", "nope"], 'there is no workflow "nope"'],
  ])("refuses %j and creates no thread", async (options, message) => {
    const { exitCode, stderr } = await uwf(
      "solve",
      "--repo",
      "repository",
      "--issue",
      "x",
      "--unsafe-no-sandbox",
      ...options,
    );

    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
    expect(await onlyThread()).toBeUndefined();
  });

  it("needs a model, and says how to get one", async () => {
    const { exitCode, stderr } = await home.uwf(solve);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("error: no model is configured\nhint: Run `uwf setup`");
    expect(existsSync(home.root)).toBe(false);
  });
});

describe("uwf thread", () => {
  const start = () =>
    uwf("thread", "start", "one-step.yaml", "--repo", "repository", "--input", "Say hello", "--json");

  it("starts, and takes a step, which is the last one", async () => {
    const { id } = JSON.parse((await start()).stdout);

    const stepped = await uwf("thread", "step", id, "--unsafe-no-sandbox");
    const run = await uwf("thread", "run", id, "--unsafe-no-sandbox", "--json");

    expect(stepped.exitCode).toBe(0);
    expect(stepped.stdout).toContain("state       completed");
    expect(JSON.parse(run.stdout)).toMatchObject({ status: "completed", steps: 1 });
  });

  it("pauses, resumes, cancels and removes", async () => {
    const { id } = JSON.parse((await start()).stdout);
    const states: string[] = [];

    for (const command of ["pause", "resume", "cancel"])
      states.push(JSON.parse((await uwf("thread", command, id, "--json")).stdout).status);
    const removed = await uwf("thread", "rm", id);

    expect(states).toEqual(["paused", "queued", "cancelled"]);
    expect(removed.stdout).toContain("Say hello: removed");
    expect(await onlyThread()).toBeUndefined();
  });

  it("says that a thread is paused already", async () => {
    const { id } = JSON.parse((await start()).stdout);
    await uwf("thread", "pause", id);

    const { exitCode, stderr } = await uwf("thread", "pause", id);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: Thread \w+ is paused already\.\nhint: Let it go on/);
  });

  it("refuses to remove what waits for a worker", async () => {
    const { id } = JSON.parse((await start()).stdout);

    const { exitCode, stderr } = await uwf("thread", "rm", id);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: Thread \w+ is queued\.\nhint: Cancel it first/);
  });

  it("finds a workflow that the repository has committed", async () => {
    mkdirSync(join(repository, ".uwf", "workflows"), { recursive: true });
    writeFileSync(join(repository, ".uwf", "workflows", "one-step.yaml"), workflow);
    const before = await uwf("thread", "start", "one-step", "--repo", "repository", "--input", "x");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "add a workflow");

    const after = await uwf("thread", "start", "one-step", "--repo", "repository", "--input", "x");

    expect(before.stderr).toContain('there is no workflow "one-step"');
    expect(after.exitCode).toBe(0);
  });
});
