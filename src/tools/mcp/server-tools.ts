import type { Tool as ServersTool } from "@modelcontextprotocol/client";
import { configError, isAbort, messageOf } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import { boundedOutput } from "../bounded-output.ts";
import { terminalText } from "../terminal-text.ts";
import type { Tool, ToolAnswer, ToolContext } from "../tool.ts";
import { answerText } from "./answer-text.ts";
import { argumentCheck } from "./check-arguments.ts";
import type { Connection } from "./connection.ts";
import { listedTool } from "./listed-tool.ts";
import { modelNameOf } from "./tool-names.ts";

/** Model providers take 128 tools; every one is part of every request. */
const MAX_TOOLS = 100;

/**
 * A server's tools as a role has them, in the order of their names: a server that lists them in another order, or anew, changes nothing. Throws
 * `mcp-tools` (fix-config) where a configured one is not there, or there are too many. `taken`: names of other tools.
 */
export const serverTools = (
  server: McpServer,
  connection: Pick<Connection, "tools" | "call" | "redact">,
  taken: readonly string[],
): Tool[] => {
  const listed = new Map(connection.tools.map((tool) => [tool.name, tool]));
  const wanted = server.tools === null ? [...listed.keys()] : [...new Set(server.tools)];
  if (wanted.length > MAX_TOOLS)
    throw configError(
      "mcp-tools",
      `the MCP server "${server.name}" has ${wanted.length} tools, more than the ${MAX_TOOLS} that a model is given`,
      `Name the ones that are needed under mcpServers.${server.name}.tools in config.yaml.`,
    );
  return wanted
    .map((name) => {
      const tool = listed.get(name);
      if (tool === undefined) throw missing(server, name, listed.keys());
      return toolOf(tool, connection, modelNameOf({ server: server.name, tool: name }, taken));
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

const missing = (server: McpServer, name: string, listed: Iterable<string>): Error =>
  configError(
    "mcp-tools",
    `the MCP server "${server.name}" has no tool ${JSON.stringify(name)}${didYouMean(name, listed)}`,
    `A role or mcpServers.${server.name}.tools in config.yaml names it.`,
  );

const toolOf = (tool: ServersTool, connection: Pick<Connection, "call" | "redact">, name: string): Tool => {
  const { description, parameters, effect } = listedTool(tool);
  const check = argumentCheck(parameters);
  return {
    name,
    description,
    effect,
    parameters,
    run: async (given, context) => {
      const checked = check(given);
      if (!checked.ok)
        return {
          ok: false,
          text: [
            `${name}: the arguments do not fit.`,
            ...checked.problems.map((problem) => `- ${problem}`),
          ].join("\n"),
        };
      try {
        const answer = await connection.call(tool, checked.args, context.signal);
        return await shown(answer, { connection, context });
      } catch (error) {
        if (isAbort(error, context.signal)) throw error;
        return { ok: false, text: `${name}: ${terminalText(messageOf(error))}` };
      }
    },
  };
};

const shown = async (
  { content, structuredContent, isError }: Awaited<ReturnType<Connection["call"]>>,
  { connection, context }: { connection: Pick<Connection, "redact">; context: ToolContext },
): Promise<ToolAnswer> => {
  const { workspace } = context;
  const said = connection.redact(answerText(content, structuredContent));
  const text = await boundedOutput(said, { workspace, headShare: 0.5 });
  return { ok: isError !== true, text: text.trim() === "" ? "(The tool answered nothing.)" : text };
};
