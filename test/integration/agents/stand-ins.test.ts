import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

const workflow = `version: 1
name: greet
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

const PROSE = "I have written it.";
const ANSWER = "---\ntitle: Greet\nbody: Says hello.\n---";

/** Takes the documented options alone, and writes down how it was called. */
const standIn = (parse: string, print: string): string => `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync(process.env.CALLS, JSON.stringify(args) + "\\n");
${parse}
if (prompt.includes("fail please")) { console.error("no credit left"); process.exit(3); }
const again = prompt.includes("could not be read");
if (again !== (session !== null)) { console.error("wrong session " + session); process.exit(9); }
if (!again) writeFileSync("greeting.txt", "hello");
const text = again ? ${JSON.stringify(ANSWER)} : ${JSON.stringify(PROSE)};
${print}
`;

const cases = {
  "cursor-agent": {
    program: standIn(
      `const prompt = args.at(-1);
const resume = args.find((arg) => arg.startsWith("--resume="));
const session = resume ? resume.slice(9) : null;
const known = ["-p", "--output-format", "json", "--force", "--trust", "--model", "auto", resume, prompt];
if (args.some((arg) => !known.includes(arg))) process.exit(8);`,
      `console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, duration_ms: 5, duration_api_ms: 5, result: text, session_id: session ?? "chat-7" }));`,
    ),
    calls: [
      [
        "-p",
        "--output-format",
        "json",
        "--force",
        "--trust",
        "--model",
        "auto",
        expect.stringContaining("Say hello"),
      ],
      [
        "-p",
        "--output-format",
        "json",
        "--force",
        "--trust",
        "--model",
        "auto",
        "--resume=chat-7",
        expect.stringContaining("could not be read"),
      ],
    ],
    session: "chat-7",
  },
  hermes: {
    program: standIn(
      `const of = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null);
const prompt = of("--query");
const session = of("--resume");
const known = ["chat", "--quiet", "--yolo", "--model", "auto", "--resume", session, "--query", prompt];
if (args.some((arg) => !known.includes(arg))) process.exit(8);`,
      // Newer ones say the session among the errors, older ones after the answer.
      `if (session === null) { console.log(text); console.error("\\nsession_id: 20261121_a1"); } else console.log(text + "\\n\\nsession_id: 20261121_a1");`,
    ),
    calls: [
      ["chat", "--quiet", "--yolo", "--model", "auto", "--query", expect.stringContaining("Say hello")],
      [
        "chat",
        "--quiet",
        "--yolo",
        "--model",
        "auto",
        "--resume",
        "20261121_a1",
        "--query",
        expect.stringContaining("could not be read"),
      ],
    ],
    session: "20261121_a1",
  },
} as const;

let home: UwfHome;
let repository: string;
const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });

beforeEach(() => {
  home = uwfHome();
  repository = join(home.cwd, "repository");
  mkdirSync(repository);
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "readme.md"), "# Greetings\n");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  writeFileSync(join(home.cwd, "greet.yaml"), workflow);
});
afterEach(() => home.dispose());

const play = async (name: keyof typeof cases, issue: string) => {
  const program = join(home.cwd, name);
  writeFileSync(program, cases[name].program);
  chmodSync(program, 0o755);
  const agent = {
    command: program,
    preset: name,
    args: ["--model", "auto"],
    env: ["CALLS"],
    sandbox: "none",
  };
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(home.root, "config.yaml"),
    JSON.stringify({ agents: { [name]: agent }, defaultAgent: name }),
  );
  const CALLS = join(home.cwd, "calls");
  const uwf = (...words: string[]) => home.uwf(words, { env: { CALLS } });
  const finished = await uwf(
    "solve",
    "--repo",
    "repository",
    "--issue",
    issue,
    "--workflow",
    "greet.yaml",
    "--unsafe-no-sandbox",
  );
  const [thread] = JSON.parse((await uwf("thread", "list", "--json")).stdout);
  const calls = readFileSync(CALLS, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { finished, thread, calls, uwf };
};

it.each(Object.keys(cases) as (keyof typeof cases)[])(
  "%s is called as documented, and again in its session",
  async (name) => {
    const { finished, thread, calls, uwf } = await play(name, "Say hello\nIn a file.");

    expect(finished).toMatchObject({ exitCode: 0 });
    expect(git("show", "uwf/say-hello:greeting.txt")).toBe("hello");
    expect(calls).toEqual(cases[name].calls);
    const { turns } = JSON.parse((await uwf("thread", "step-details", thread.id, "1", "--json")).stdout);
    const { session: sessionId } = cases[name];
    expect(turns).toMatchObject([
      { kind: "message" },
      { kind: "reply", content: expect.stringContaining(PROSE), reasoning: { sessionId } },
      { kind: "message" },
      { kind: "reply", content: ANSWER, reasoning: { sessionId }, model: name },
    ]);
  },
);

it("says with the program's own words why it failed", async () => {
  const { finished, thread } = await play("hermes", "fail please");

  expect(finished.exitCode).not.toBe(0);
  expect(thread).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/hermes.* failed with exit code 3\. It said last: no credit left/),
  });
});
