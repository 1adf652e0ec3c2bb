import { newThreadId } from "../../base/ids.ts";
import type { Config } from "../../config/config.ts";
import { EVERY, type McpServerConfig } from "../../config/mcp-config.ts";
import { pinnedServer } from "../../config/mcp-servers.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Context } from "../context.ts";
import { withEngine } from "../engine-session.ts";
import { counted } from "../format.ts";
import { type Check, failed, ok } from "./check.ts";

/** Starts or reaches each server of the configuration, in an empty workspace, and asks it for its tools. */
export const checkMcpServers = (context: Context, config: Config): Promise<Check[]> =>
  withEngine(context, { config }, async ({ engine: { workspaces } }) => {
    const id = newThreadId();
    const workspace = await workspaces.open(id, null);
    try {
      const servers = Object.entries(config.mcpServers);
      const alone = await Promise.all(servers.map((server) => checkAlone([server], { workspace, config })));
      const together = await checkTogether(servers, { workspace, config });
      return [...alone, ...(alone.every(({ state }) => state === "ok") ? together : [])];
    } finally {
      await workspaces.close(id);
    }
  });

type Servers = readonly [name: string, server: McpServerConfig][];
type Place = { workspace: Workspace; config: Pick<Config, "variables"> };

const checkAlone = async (servers: Servers, place: Place): Promise<Check> => {
  const name = `MCP ${servers.map(([each]) => each).join(", ")}`;
  try {
    const tools = await toolsOf(servers, place);
    const shown = tools.slice(0, 5).join(", ");
    return ok(name, `${counted(tools.length, "tool")}: ${shown}${tools.length > 5 ? ", …" : ""}`);
  } catch (error) {
    return failed(name, error);
  }
};

/** Tools of servers that no role has both of may have the same names. Only what is wrong is told. */
const checkTogether = async (servers: Servers, place: Place): Promise<Check[]> => {
  const pairs = servers.flatMap((one, index) =>
    servers.slice(index + 1).flatMap((other) => (shareRole(one[1], other[1]) ? [[one, other]] : [])),
  );
  const checks: Check[] = [];
  for (const pair of pairs) checks.push(await checkAlone(pair, place));
  return checks.filter(({ state }) => state !== "ok");
};

const toolsOf = async (servers: Servers, { workspace, config }: Place): Promise<string[]> => {
  const { connectServers } = await import("../../tools/mcp/connect-servers.ts");
  const { tools, close } = await connectServers(
    servers.map(([name, server]) => pinnedServer(name, server, null)),
    {
      workspace,
      variable: (name) => config.variables[name],
      signal: new AbortController().signal,
      taken: [],
    },
  );
  await close();
  return tools.map(({ name }) => name);
};

/** Whether there may be a role that is given both. */
const shareRole = ({ roles: one }: McpServerConfig, { roles: other }: McpServerConfig): boolean =>
  Object.entries(one).some(([workflow, names]) =>
    Object.entries(other).some(
      ([otherWorkflow, otherNames]) => meet([workflow], [otherWorkflow]) && meet(names, otherNames),
    ),
  );

const meet = (one: readonly string[], other: readonly string[]): boolean =>
  one.includes(EVERY) || other.includes(EVERY) || one.some((name) => other.includes(name));
