import type { Transport } from "@modelcontextprotocol/client";
import { configError } from "../../base/errors.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { httpTransport } from "./http-transport.ts";
import { sandboxTransport } from "./sandbox-transport.ts";

export type TransportParts = {
  workspace: Workspace;
  /** The value of a variable of the engine's environment; undefined where it is not set. */
  variable: (name: string) => string | undefined;
  /** Fires when the step is cancelled: the server is ended then. */
  signal: AbortSignal;
};

/** What is talked through, why that is at its end (null: it is not), and how one takes leave of the server before closing it. */
export type ServerTransport = { transport: Transport; ended(): string | null; leave(): Promise<void> };

const LEAVE_MS = 2_000;

/** Throws `mcp-server-failed` (fix-config) for a variable that is not set. */
export const transportOf = (server: McpServer, parts: TransportParts): ServerTransport => {
  const { name, command, args, env, url, apiKeyEnv } = server;
  const value = (variable: string): string => {
    const found = parts.variable(variable);
    if (found !== undefined) return found;
    throw configError(
      "mcp-server-failed",
      `the MCP server "${name}" needs the variable ${variable}, which is not set`,
      "Set it in the environment of uwf or in its .env.",
    );
  };
  if (command !== null) {
    const given = Object.fromEntries(env.map((variable) => [variable, value(variable)]));
    const transport = sandboxTransport({ command, args, env: given }, parts);
    return { transport, ended: transport.ended, leave: async () => undefined };
  }
  const transport = httpTransport(url ?? "", apiKeyEnv === undefined ? null : value(apiKeyEnv));
  /** A server that keeps sessions may forget this one; whether it does is its own affair. */
  const leave = async (): Promise<void> => {
    if (transport.sessionId === undefined || parts.signal.aborted) return;
    const patience = new Promise((resolve) => {
      setTimeout(resolve, LEAVE_MS).unref();
    });
    await Promise.race([transport.terminateSession().catch(() => undefined), patience]);
  };
  return { transport, ended: () => null, leave };
};
