import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type AgentModel, type AgentQuestion, agentModel } from "../../rigs/agent-model.ts";
import { type CodingAgent, codingAgentsAreHere, pathWithAgents } from "../../rigs/coding-agents.ts";

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

const PROSE = "I have written the greeting into a file.";
const ANSWER = "---\ntitle: Greet\nbody: Says hello.\n---\nThat is all.";
const USAGE = {
  input_tokens: 120,
  output_tokens: 7,
  prompt_tokens: 120,
  completion_tokens: 7,
  promptTokenCount: 120,
  candidatesTokenCount: 7,
};

/** How each agent writes a file with a tool of its own. */
const writing: Readonly<Record<string, (path: string, content: string) => object>> = {
  Write: (path, content) => ({ file_path: `/workspace/${path}`, content }),
  write_file: (path, content) => ({ file_path: path, content }),
  write: (path, content) => ({ filePath: `/workspace/${path}`, content }),
  exec_command: (path, content) => ({ cmd: `printf '${content}' > ${path}` }),
};

const REFUSAL = {
  status: 400,
  error: { message: "this model was withdrawn", type: "invalid_request_error" },
};

/** Writes a file, then answers prose, and once it is told that this cannot be read, with frontmatter. */
const script = ({ told, tools, hasWorked }: AgentQuestion) => {
  if (told.includes("could not be read")) return { content: ANSWER, usage: USAGE };
  if (hasWorked) return { content: PROSE, usage: USAGE };
  const tool = Object.keys(writing).find((name) => tools.includes(name));
  // Agents also ask for titles and the like, without tools.
  if (tool === undefined) return { content: "A greeting", usage: USAGE };
  return {
    toolCalls: [{ name: tool, arguments: JSON.stringify(writing[tool]?.("greeting.txt", "hello")) }],
    usage: USAGE,
  };
};

type Case = { args: (url: string) => string[]; env: (url: string) => Record<string, string>; model: string };

const cases: Readonly<Record<CodingAgent, Case>> = {
  claude: {
    args: () => ["--model", "sonnet"],
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key-of-claude" }),
    model: "claude-",
  },
  codex: {
    args: (url) => ["--model", "scripted", "-c", `openai_base_url="${url}/v1"`],
    env: () => ({ CODEX_API_KEY: "key-of-codex" }),
    model: "codex",
  },
  opencode: {
    args: () => ["--model", "local/scripted"],
    env: (url) => ({
      // Neither is there without a network.
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "key-of-opencode" },
            models: { scripted: { limit: { context: 100_000, output: 8_000 } } },
          },
        },
      }),
    }),
    model: "opencode",
  },
  gemini: {
    args: () => ["--model", "gemini-2.5-flash"],
    env: (url) => ({
      GOOGLE_GENAI_USE_VERTEXAI: "true",
      GOOGLE_VERTEX_BASE_URL: url,
      GOOGLE_API_KEY: "key-of-gemini",
    }),
    model: "gemini-2.5-flash",
  },
};

describe.skipIf(!codingAgentsAreHere() || !bubblewrapIsHere())("presets, with the real programs", () => {
  let home: UwfHome;
  let model: AgentModel;
  let refuses: boolean;
  let repository: string;
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });

  beforeEach(async () => {
    home = uwfHome();
    refuses = false;
    model = await agentModel((question) => (refuses ? REFUSAL : script(question)));
    repository = join(home.cwd, "repository");
    mkdirSync(repository);
    git("init", "-q", "-b", "main");
    writeFileSync(join(repository, "readme.md"), "# Greetings\n");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
    writeFileSync(join(home.cwd, "greet.yaml"), workflow);
  });
  afterEach(async () => {
    await model.close();
    home.dispose();
  });

  const solve = async (name: CodingAgent) => {
    const { args, env } = cases[name];
    const variables = env(model.url);
    const agent = {
      ...{ command: name, preset: name, timeoutSeconds: 90 },
      ...{ args: args(model.url), env: Object.keys(variables) },
    };
    mkdirSync(home.root, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(home.root, "config.yaml"),
      JSON.stringify({ agents: { [name]: agent }, defaultAgent: name }),
    );
    const uwf = (...words: string[]) => home.uwf(words, { env: { ...variables, PATH: pathWithAgents() } });
    const issue = "Say hello\nIn a file.";
    return {
      uwf,
      finished: await uwf("solve", "--repo", "repository", "--issue", issue, "--workflow", "greet.yaml"),
    };
  };

  it.each(Object.keys(cases) as CodingAgent[])(
    "%s writes a file in the thread's workspace with its own tool, and is told in its session what is wrong with its answer",
    async (name) => {
      const { uwf, finished } = await solve(name);
      const { exitCode, stdout, stderr } = finished;

      expect({ exitCode, stderr, stdout }).toMatchObject({ exitCode: 0 });
      expect(git("show", "uwf/say-hello:greeting.txt")).toBe("hello");
      const [thread] = JSON.parse((await uwf("thread", "list", "--json")).stdout);
      const { turns } = JSON.parse((await uwf("thread", "step-details", thread.id, "1", "--json")).stdout);
      expect(turns).toMatchObject([
        { kind: "message", text: expect.stringContaining("Say hello") },
        { kind: "reply", content: PROSE, reasoning: { sessionId: expect.any(String) } },
        { kind: "message", text: expect.stringContaining("There is no YAML frontmatter") },
        { kind: "reply", content: ANSWER, model: expect.stringContaining(cases[name].model) },
      ]);
      expect(turns[3].reasoning).toEqual(turns[1].reasoning);
      expect(turns[3].usage.outputTokens).toBeGreaterThan(0);
      const last = model.questions.at(-1);
      expect(last?.told).toContain("Say hello");
      expect(stdout + stderr).not.toContain(`key-of-${name}`);
    },
    150_000,
  );

  it.each(Object.keys(cases) as CodingAgent[])(
    "%s fails its step with the words of its provider",
    async (name) => {
      refuses = true;

      const { uwf, finished } = await solve(name);

      expect(finished.exitCode).toBe(1);
      const [thread] = JSON.parse((await uwf("thread", "list", "--json")).stdout);
      expect(thread).toMatchObject({
        status: "failed",
        reason: expect.stringMatching(/withdrawn|400/),
      });
      expect(thread.reason).not.toContain(`key-of-${name}`);
    },
    150_000,
  );
});
