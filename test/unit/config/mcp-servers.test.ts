import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bindAgents } from "../../../src/config/bind-agents.ts";
import { parseConfigFile } from "../../../src/config/config-file.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";

const problems = (server: string): string[] => parseConfigFile(`mcpServers:\n  docs: ${server}\n`).problems;

describe("servers of the configuration", () => {
  it.each([
    "{ command: docs-server, roles: { develop: [code] } }",
    "{ command: /opt/docs, args: [--stdio], env: [DOCS_KEY], tools: [search], timeoutSeconds: 30, roles: { '*': ['*'] } }",
    "{ url: 'https://mcp.example.com/mcp', apiKeyEnv: DOCS_KEY, roles: { develop: [code, review] } }",
  ])("may be %s", (server) => {
    expect(problems(server)).toEqual([]);
  });

  const roles = "roles: { develop: [code] }";
  it.each([
    [`{ ${roles} }`, "2:9: mcpServers.docs: must have a command or a url"],
    [
      `{ command: a, url: "https://a.example", ${roles} }`,
      "mcpServers.docs.url: must not stand beside a command",
    ],
    [`{ url: "https://a.example", args: [a], ${roles} }`, "mcpServers.docs.args: belong to a command"],
    [`{ url: "https://a.example", env: [A], ${roles} }`, "mcpServers.docs.env: belongs to a command"],
    [`{ command: a, apiKeyEnv: A, ${roles} }`, "mcpServers.docs.apiKeyEnv: belongs to a url"],
    [`{ url: "https://u:p@a.example", ${roles} }`, "mcpServers.docs.url: must not hold a password"],
    [`{ url: "ftp://a.example", ${roles} }`, "mcpServers.docs.url: must be a valid url"],
    [`{ command: ./server, ${roles} }`, "mcpServers.docs.command: must be a name on the search path"],
    [
      `{ command: a, env: [sk-12], ${roles} }`,
      "mcpServers.docs.env[0]: must be the name of an environment variable",
    ],
    [`{ command: a, env: [FORGEJO_TOKEN], ${roles} }`, "mcpServers.docs.env[0]: is uwf's own"],
    [`{ command: a, timeoutSeconds: 601, ${roles} }`, "mcpServers.docs.timeoutSeconds: must be at most 600"],
    ["{ command: a }", "mcpServers.docs.roles: missing"],
    ["{ command: a, roles: { develop: [] } }", "mcpServers.docs.roles.develop: must have at least 1"],
    [`{ command: a, role: {}, ${roles} }`, 'mcpServers.docs.role: unknown field; did you mean "roles"?'],
  ])("may not be %s", (server, problem) => {
    expect(problems(server)).toEqual([expect.stringContaining(problem)]);
  });

  it("may be as the documentation has them", () => {
    const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
    const [example = ""] = /(?<=```yaml\n)mcpServers:\n[^`]*/.exec(page) ?? [];

    expect(parseConfigFile(example)).toMatchObject({
      problems: [],
      file: { mcpServers: { docs: {}, tickets: {} } },
    });
  });

  it("may not have names that make names of tools unclear", () => {
    const { problems: found } = parseConfigFile(`mcpServers:\n  my_docs: { command: a, ${roles} }\n`);

    expect(found).toEqual([
      expect.stringMatching(/^config\.yaml:2:3: mcpServers\.my_docs: must be 1 to 32 small letters/),
    ]);
  });
});

const env = { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" };

const bound = async (servers: string, tools = "") => {
  const yaml = `mcpServers:\n${servers}`;
  const config = loadConfig({ env, readFile: (path) => (path.endsWith("config.yaml") ? yaml : null) });
  const schema = "schema: { type: object, properties: { a: { type: string } } }";
  const workflow = await loadWorkflow(
    `
version: 1
name: develop
roles:
  code: { systemPrompt: You code., ${schema}${tools} }
  review: { systemPrompt: You review., tools: [read_file], ${schema} }
moderator: [{ from: $START, to: code }, { from: code, to: review }, { from: review, to: $END }]
`,
    { file: "w.yaml" },
  );
  const { agents } = await bindAgents(config, workflow, {
    model: null,
    findWorkflow: () => Promise.reject(new Error("none")),
  });
  return Object.fromEntries(
    Object.entries(agents).map(([role, agent]) => [
      role,
      agent.adapter === "react"
        ? (agent.mcp ?? []).map(({ name, tools: named }) => ({ name, tools: named }))
        : null,
    ]),
  );
};

describe("the servers that a role is pinned to", () => {
  it.each([
    ["the roles that are named", "{ develop: [code] }", { code: ["docs"], review: [] }],
    ["every role of a workflow", "{ develop: ['*'] }", { code: ["docs"], review: ["docs"] }],
    ["a role of every workflow", "{ '*': [review] }", { code: [], review: ["docs"] }],
    ["no role of another workflow", "{ other: ['*'] }", { code: [], review: [] }],
  ])("are given to %s", async (_, roles, expected) => {
    const found = await bound(`  docs: { command: a, roles: ${roles} }\n`);

    expect(
      Object.fromEntries(Object.entries(found).map(([role, all]) => [role, all?.map(({ name }) => name)])),
    ).toEqual(expected);
  });

  const given = "  docs: { command: a, tools: [search, open], roles: { develop: [code] } }\n";
  it.each([
    ["all that are configured, where none is named", "", ["search", "open"]],
    ["those that the role names", ", tools: [read_file, 'docs:open']", ["open"]],
    ["all of them by a star", ", tools: ['docs:*']", ["search", "open"]],
    ["all beside built-in tools that are named", ", tools: [read_file]", ["search", "open"]],
  ])("have %s", async (_, tools, expected) => {
    expect((await bound(given, tools)).code).toEqual([{ name: "docs", tools: expected }]);
  });

  it.each([
    [
      "dosc:search",
      'develop\'s code needs tools of the MCP server "dosc", which is not configured; did you mean "docs"?',
    ],
    [
      "docs:delete",
      'develop\'s code needs the tool "delete" of the MCP server "docs", which config.yaml leaves out',
    ],
  ])("are missed when the role names %s", async (tool, message) => {
    await expect(bound(given, `, tools: ['${tool}']`)).rejects.toMatchObject({
      code: "mcp-not-given",
      remedy: "fix-config",
      message,
    });
  });

  it("are missed when the role is not given them", async () => {
    await expect(
      bound("  docs: { command: a, roles: { develop: [review] } }\n", ", tools: ['docs:search']"),
    ).rejects.toMatchObject({ message: expect.stringContaining("which config.yaml does not give it") });
  });
});
