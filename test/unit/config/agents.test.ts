import { describe, expect, it } from "vitest";
import { type AskedAgents, agentFor, chosenAgent } from "../../../src/config/agents.ts";
import { parseConfigFile } from "../../../src/config/config-file.ts";
import { loadConfig } from "../../../src/config/load-config.ts";

const problems = (agent: string): string[] => parseConfigFile(`agents:\n  mine: ${agent}`).problems;

const env = { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" };
const configOf = (yaml: string, variables: Record<string, string> = env) =>
  loadConfig({ env: variables, readFile: (path) => (path.endsWith("config.yaml") ? yaml : null) });

const coder = { name: "coder", model: null };
const pinned = (yaml: string, variables?: Record<string, string>) => {
  const config = configOf(yaml, variables);
  const about = { workflow: "w", role: "coder", asked: null };
  return agentFor(config, chosenAgent(config, about), { role: coder, model: null });
};

describe("agents of the configuration", () => {
  it.each([
    "{ adapter: react, model: m }",
    "{ adapter: llm }",
    "{ command: claude, protocol: text, preset: claude }",
    "{ command: /opt/agent, args: [-v], env: [A_KEY], timeoutSeconds: 60, protocol: step, sandbox: none }",
    "{ workflow: develop }",
  ])("may be %s", (agent) => {
    expect(problems(agent)).toEqual([]);
  });

  it.each([
    ["{}", "2:9: agents.mine: must have an adapter, a command or a workflow: who plays?"],
    [
      "{ adapter: react, command: x }",
      "agents.mine.command: does not go with adapter: an agent is one of both",
    ],
    ["{ command: x, workflow: w }", "agents.mine.workflow: does not go with command"],
    ["{ adapter: llm, args: [a] }", "agents.mine.args: goes with a command only, not with adapter"],
    ["{ workflow: w, timeoutSeconds: 5 }", "agents.mine.timeoutSeconds: goes with a command only"],
    ["{ command: x, model: m }", "agents.mine.model: goes with an adapter only, not with command"],
    ["{ command: ./x }", "agents.mine.command: must be a name on the search path or an absolute path"],
    ["{ command: x, protocol: meta, preset: codex }", "agents.mine.protocol: must be text with a preset"],
    [
      "{ command: x, protocol: step, sandbox: thread }",
      "agents.mine.sandbox: must be none for the protocol step",
    ],
    ["{ command: x, sandbox: thread }", "agents.mine.sandbox: must be none for the protocol meta"],
    ["{ command: x, env: [sk-123] }", "agents.mine.env[0]: must be the name of an environment variable"],
    ["{ command: x, env: [FORGEJO_TOKEN] }", "agents.mine.env[0]: is uwf's own"],
    ["{ command: x, protocl: meta }", 'agents.mine.protocl: unknown field; did you mean "protocol"?'],
    ["{ command: x, timeoutSeconds: 0 }", "agents.mine.timeoutSeconds: must be more than 0"],
  ])("may not be %s", (agent, problem) => {
    expect(problems(agent)).toEqual([expect.stringContaining(problem)]);
  });
});

describe("the agent that a thread is pinned to", () => {
  it("is the built-in loop with the default model where nothing is said", () => {
    expect(pinned("{}")).toEqual({ adapter: "react", name: "builtin", model: "default", modelName: "m" });
  });

  it("is one reply of a model", () => {
    expect(pinned("agents: { short: { adapter: llm } }\ndefaultAgent: short")).toMatchObject({
      adapter: "llm",
      name: "short",
    });
  });

  it("is a program with everything filled in, and needs no model", () => {
    const yaml = "agents: { mine: { command: my-agent } }\ndefaultAgent: mine";

    expect(pinned(yaml, { UWF_STORAGE_ROOT: "/root" })).toEqual({
      adapter: "command",
      name: "mine",
      command: "my-agent",
      args: [],
      env: [],
      timeoutSeconds: 1800,
      protocol: "meta",
      preset: null,
      sandbox: "none",
      extract: null,
    });
  });

  it("answers text in the sandbox, from which the default model takes the output", () => {
    const yaml =
      "agents: { claude: { command: claude, preset: claude } }\nagentOverrides: { w: { coder: claude } }";

    expect(pinned(yaml)).toMatchObject({
      protocol: "text",
      preset: "claude",
      sandbox: "thread",
      extract: { model: "default", modelName: "m" },
    });
  });

  it.each([
    ["no model is configured", { UWF_STORAGE_ROOT: "/root" }],
    ["the model's key is not set", { UWF_STORAGE_ROOT: "/root", OPENAI_MODEL: "m" }],
  ])("has nothing taken out where %s", (_, variables) => {
    const yaml = "agents: { claude: { command: claude, preset: claude } }\ndefaultAgent: claude";

    expect(pinned(yaml, variables)).toMatchObject({ extract: null });
  });

  it("has its output taken out by the model that is named for it", () => {
    const yaml = `
providers: { own: { baseUrl: "https://a/v1" } }
models: { default: { provider: own, name: big }, small: { provider: own, name: tiny } }
modelOverrides: { extract: small }
agents: { claude: { command: claude, preset: claude } }
defaultAgent: claude`;

    expect(pinned(yaml)).toMatchObject({ extract: { model: "small", modelName: "tiny" } });
  });
});

describe("an agent that a person asked for", () => {
  const config = configOf("agents: { other: { command: other } }\nagentOverrides: { w: { coder: other } }");
  const mine = { name: "mine", agent: { command: "mine" } };
  const asked = { roles: new Map([["coder", mine]]), others: null };

  it("plays the role that it was named for", () => {
    expect(chosenAgent(config, { workflow: "w", role: "coder", asked })).toEqual({ ...mine, forRole: true });
    expect(chosenAgent(config, { workflow: "w", role: "tester", asked })).toMatchObject({ name: "builtin" });
  });

  it("plays every other role, before what is configured", () => {
    const all = { roles: new Map(), others: mine };

    expect(chosenAgent(config, { workflow: "w", role: "coder", asked: all })).toEqual({
      ...mine,
      forRole: false,
    });
  });
});

describe("the designer", () => {
  const designer = { name: "designer", model: null };
  const boundTo = (
    yaml: string,
    { asked = null, model = null }: { asked?: AskedAgents | null; model?: string | null } = {},
  ) => {
    const config = configOf(yaml);
    const chosen = chosenAgent(config, { workflow: "design", role: "designer", asked });
    return agentFor(config, chosen, { role: designer, model });
  };
  const models = `
providers: { own: { baseUrl: "https://a/v1" } }
models: { default: { provider: own, name: big }, small: { provider: own, name: tiny } }
`;

  it("plays the roles of its own workflow, whatever plays others", () => {
    expect(boundTo("agents: { mine: { command: mine } }\ndefaultAgent: mine")).toEqual({
      ...{ adapter: "designer", name: "designer", model: "default", modelName: "m" },
    });
    expect(
      boundTo("{}", { asked: { roles: new Map(), others: { name: "mine", agent: { command: "mine" } } } }),
    ).toMatchObject({ adapter: "designer" });
  });

  it("thinks with the model of its role, or with the one that is asked for", () => {
    const yaml = `${models}modelOverrides: { designer: small }`;

    expect(boundTo(yaml)).toMatchObject({ adapter: "designer", model: "small", modelName: "tiny" });
    expect(boundTo(models, { model: "small" })).toMatchObject({ adapter: "designer", modelName: "tiny" });
  });

  it("makes room for who is named for just that role", () => {
    const mine = { name: "mine", agent: { command: "mine" } };
    const yaml = "agents: { other: { command: other } }\nagentOverrides: { design: { designer: other } }";

    expect(boundTo(yaml)).toMatchObject({ adapter: "command", command: "other" });
    expect(boundTo("{}", { asked: { roles: new Map([["designer", mine]]), others: null } })).toMatchObject({
      command: "mine",
    });
  });
});
