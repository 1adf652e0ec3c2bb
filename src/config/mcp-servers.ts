import { configError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Agent, McpServer } from "../store/agent-payload.ts";
import { serverTool } from "../workflow/tool-names.ts";
import type { Config } from "./config.ts";
import { EVERY, type McpServerConfig } from "./mcp-config.ts";

/** A role of a workflow, with the tools that it names. */
type AskingRole = { workflow: string; role: { name: string; tools: readonly string[] | null } };

/** Pins the servers of a role with its agent; only the built-in loop has any. Throws as `mcpServersFor`. */
export const withServers = (config: Pick<Config, "mcpServers">, agent: Agent, asking: AskingRole): Agent => {
  if (agent.adapter !== "react") return agent;
  const mcp = mcpServersFor(config, asking);
  return mcp.length === 0 ? agent : { ...agent, mcp };
};

/**
 * The servers whose tools a role has: those that `mcpServers` gives it, in the file's order. A role that names tools of such a
 * server (`docs:search`) has no others of it; what is named and not given throws `mcp-not-given` (fix-config).
 */
const mcpServersFor = ({ mcpServers }: Pick<Config, "mcpServers">, asking: AskingRole): McpServer[] => {
  const given = Object.entries(mcpServers).filter(([, server]) => isGiven(server, asking));
  const named = (asking.role.tools ?? []).flatMap((name) => serverTool(name) ?? []);
  for (const { server, tool } of named) {
    const config = given.find(([name]) => name === server)?.[1];
    if (config === undefined) throw notGiven(server, { asking, mcpServers });
    if (tool !== EVERY && config.tools !== undefined && !config.tools.includes(tool))
      throw configError(
        "mcp-not-given",
        `${whose(asking)} needs the tool "${tool}" of the MCP server "${server}", which config.yaml leaves out${didYouMean(tool, config.tools)}`,
        `Add it to mcpServers.${server}.tools in config.yaml.`,
      );
  }
  return given.map(([name, config]) => {
    const wanted = named.filter(({ server }) => server === name).map(({ tool }) => tool);
    return pinnedServer(name, config, wanted.length === 0 || wanted.includes(EVERY) ? null : wanted);
  });
};

const isGiven = ({ roles }: McpServerConfig, { workflow, role }: AskingRole): boolean =>
  [workflow, EVERY].some((name) => {
    const listed = Object.hasOwn(roles, name) ? (roles[name] ?? []) : [];
    return listed.includes(role.name) || listed.includes(EVERY);
  });

/** As agents are pinned to it; `wanted`: of its tools only these, null: those that the configuration names, or all. */
export const pinnedServer = (name: string, config: McpServerConfig, wanted: string[] | null): McpServer => ({
  name,
  command: config.command ?? null,
  args: config.args,
  env: config.env,
  url: config.url ?? null,
  ...(config.apiKeyEnv === undefined ? {} : { apiKeyEnv: config.apiKeyEnv }),
  tools: wanted ?? config.tools ?? null,
  timeoutSeconds: config.timeoutSeconds,
});

const whose = ({ workflow, role }: AskingRole): string => `${workflow}'s ${role.name}`;

const notGiven = (
  server: string,
  { asking, mcpServers }: { asking: AskingRole; mcpServers: Config["mcpServers"] },
): Error => {
  const needs = `${whose(asking)} needs tools of the MCP server "${server}"`;
  if (!Object.hasOwn(mcpServers, server))
    return configError(
      "mcp-not-given",
      `${needs}, which is not configured${didYouMean(server, Object.keys(mcpServers))}`,
      "Configure it under `mcpServers` in config.yaml.",
    );
  return configError(
    "mcp-not-given",
    `${needs}, which config.yaml does not give it`,
    `Add the role under mcpServers.${server}.roles in config.yaml.`,
  );
};
