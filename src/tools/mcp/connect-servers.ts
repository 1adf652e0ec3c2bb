import type { McpServer } from "../../store/agent-payload.ts";
import type { Tool } from "../tool.ts";
import { type Connection, type ConnectionParts, connect } from "./connection.ts";
import { serverTools } from "./server-tools.ts";
import { requireApart } from "./tool-names.ts";

export type ConnectedServers = {
  /** Server after server as they were given. */
  tools: readonly Tool[];
  /** Ends every server that was started. Never rejects. */
  close(): Promise<void>;
};

/**
 * Starts or reaches the servers of a role for one step. Throws `mcp-server-failed` and `mcp-tools` (fix-config), `mcp-unreachable` (retry), or
 * the signal's reason; nothing runs on then. `mcp-tools` is thrown as well where a model could not tell tools of two of them apart. `taken`: names that the role's other tools have.
 */
export const connectServers = async (
  servers: readonly McpServer[],
  parts: ConnectionParts & { taken: readonly string[] },
): Promise<ConnectedServers> => {
  const begun = await Promise.allSettled(servers.map((server) => connect(server, parts)));
  const connections = begun.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.allSettled(connections.map((connection) => connection.close()));
  };
  try {
    const toolsOf = servers.map((server, index) => ({
      server: server.name,
      tools: serverTools(server, connected(begun[index]), parts.taken),
    }));
    requireApart(toolsOf.map(({ server, tools }) => ({ server, names: tools.map(({ name }) => name) })));
    return { tools: toolsOf.flatMap(({ tools }) => tools), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const connected = (result: PromiseSettledResult<Connection> | undefined): Connection => {
  if (result?.status === "fulfilled") return result.value;
  throw result?.reason;
};
