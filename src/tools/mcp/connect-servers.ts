import type { McpServer } from "../../store/agent-payload.ts";
import type { Tool } from "../tool.ts";
import { type Connection, type ConnectionParts, connect } from "./connection.ts";
import { serverTools } from "./server-tools.ts";

export type ConnectedServers = {
  /** Server after server as they were given. */
  tools: readonly Tool[];
  /** Ends every server that was started. Never rejects. */
  close(): Promise<void>;
};

/**
 * Starts or reaches the servers of a role for one step. Throws `mcp-server-failed` and `mcp-tools` (fix-config), `mcp-unreachable` (retry), or
 * the signal's reason; nothing runs on then. `taken`: names that the role's other tools have.
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
    const tools = servers.flatMap((server, index) =>
      serverTools(server, connected(begun[index]), parts.taken),
    );
    return { tools, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const connected = (result: PromiseSettledResult<Connection> | undefined): Connection => {
  if (result?.status === "fulfilled") return result.value;
  throw result?.reason;
};
