import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseConfigFile } from "../../../src/config/config-file.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

const EXAMPLES = join(import.meta.dirname, "../../../docs/examples/agents");

const role = (name: string, field: string, type = "string") => `
  ${name}:
    description: Plays.
    systemPrompt: You play ${name}.
    schema: { type: object, properties: { ${field}: { type: ${type} } }, required: [${field}], additionalProperties: false }`;

const workflow = `version: 1
name: examples
description: One role for each example of an agent.
roles:${role("sizes", "count", "integer")}${role("sums", "summary")}${role("count", "summary")}
moderator:
  - { from: $START, to: sizes }
  - { from: sizes, to: sums, prompt: "Sum up." }
  - { from: sums, to: count, prompt: "Count." }
  - { from: count, to: $END }
`;

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

it("the examples of agents play the roles that they are bound to", async () => {
  const repository = join(home.cwd, "repository");
  mkdirSync(repository);
  writeFileSync(join(repository, "large.txt"), "x".repeat(2_000_000));
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args]);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  writeFileSync(join(home.cwd, "examples.yaml"), workflow);
  mkdirSync(home.root, { mode: 0o700 });
  writeFileSync(
    join(home.root, "config.yaml"),
    `agents:
  sizes: { command: ${EXAMPLES}/large-files.sh }
  sums: { command: node, args: [${EXAMPLES}/sum-up.ts], protocol: step }
  count: { command: ${EXAMPLES}/count-lines.sh, protocol: text }
agentOverrides: { examples: { sizes: sizes, sums: sums, count: count } }
`,
  );

  const { exitCode, stdout, stderr } = await home.uwf([
    ...["solve", "--repo", "repository", "--issue", "Is it right?", "--workflow", "examples.yaml"],
    ...["--unsafe-no-sandbox", "--json"],
  ]);

  expect(stderr).toContain("count");
  expect(exitCode).toBe(0);
  const { id } = JSON.parse(stdout) as { id: string };
  const steps = await home.uwf(["thread", "steps", id, "--json"]);
  expect(JSON.parse(steps.stdout)).toMatchObject([
    { role: "sizes", output: { count: 1 } },
    { role: "sums", output: { summary: 'sizes: {"count":1}' } },
    { role: "count", output: { summary: expect.stringMatching(/^I was told \d+ lines\.$/) } },
  ]);
});

it("the example of their configuration holds no mistake", () => {
  const text = readFileSync(join(EXAMPLES, "config.yaml"), "utf8");
  const models =
    '\nproviders: { own: { baseUrl: "https://a/v1" } }\nmodels: { default: { provider: own, name: x } }\n';

  expect(parseConfigFile(text + models).problems).toEqual([]);
});

it("the page of agents shows the examples as they are", () => {
  const page = readFileSync(join(EXAMPLES, "../../agents.md"), "utf8");

  for (const file of ["config.yaml", "large-files.sh", "sum-up.ts", "count-lines.sh"]) {
    const text = readFileSync(join(EXAMPLES, file), "utf8").replace(/^# yaml-language.*\n/, "");
    expect(page, file).toContain(text.trim());
  }
});
