import { Client, type Tool as ServersTool } from "@modelcontextprotocol/client";
import { configError } from "../../base/errors.ts";
import { type Redact, redactor } from "../../base/redact.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { callFailure, startFailure, statusOf } from "./failures.ts";
import { httpTransport } from "./http-transport.ts";
import { sandboxTransport } from "./sandbox-transport.ts";

export type ConnectionParts = {
  workspace: Workspace;
  /** The value of a variable of the engine's environment; undefined where it is not set. */
  variable: (name: string) => string | undefined;
  /** Fires when the step is cancelled: the server is ended then. */
  signal: AbortSignal;
  /** Milliseconds for the handshake, and again for the list of tools. Default: 60,000. */
  startMs?: number;
};

/** One server, for as long as a step lasts. */
export type Connection = {
  /** What it listed when it was first connected; what it lists later is not looked at. */
  tools: readonly ServersTool[];
  /** Rejects with a message for a model, or with the signal's reason. A server that has gone is started anew. */
  call(tool: ServersTool, args: Record<string, unknown>, signal: AbortSignal): ReturnType<Client["callTool"]>;
  /** Masks what the server was given and may say again. */
  redact: Redact;
  close(): Promise<void>;
};

const START_MS = 60_000;
const MAX_PAGES = 20;
/** A program that keeps ending is not started for ever. */
const MAX_STARTS = 4;

/** Starts or reaches the server. Throws `mcp-server-failed` (fix-config), `mcp-unreachable` (retry), or the signal's reason. */
export const connect = async (server: McpServer, parts: ConnectionParts): Promise<Connection> => {
  const given = [...server.env, ...(server.apiKeyEnv === undefined ? [] : [server.apiKeyEnv])];
  const redact = redactor(given.map(parts.variable));
  const open = (): Promise<Opened> => opening(server, { ...parts, redact });
  let current = open();
  let starts = 1;
  const tools = await current.then((opened) => toolsOf(server, opened, { ...parts, redact }));

  const opened = async (): Promise<Opened> => {
    const was = current;
    const found = await was.catch(() => null);
    if (found !== null && found.ended() === null) return found;
    if (current === was && starts < MAX_STARTS) {
      starts++;
      current = open();
    }
    return current;
  };
  return {
    tools,
    redact,
    call: async (tool, args, signal) => {
      const client = await opened();
      try {
        return await client.call(tool, args, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw callFailure(server, { error, how: client.ended(), redact, startsAgain: starts < MAX_STARTS });
      }
    },
    close: async () => {
      await current.then(
        (last) => last.close(),
        () => undefined,
      );
    },
  };
};

/** A client and what it talks through. */
type Opened = {
  client: Client;
  call: Connection["call"];
  /** Why it is no longer there; null while it is. */
  ended(): string | null;
  close(): Promise<void>;
};

type OpeningParts = ConnectionParts & { redact: Redact };

const opening = async (server: McpServer, parts: OpeningParts): Promise<Opened> => {
  const { startMs = START_MS } = parts;
  const { transport, ended, leave } = transportOf(server, parts);
  const client = new Client(
    { name: "uwf", version: "1" },
    {
      capabilities: {},
      listMaxPages: MAX_PAGES,
      versionNegotiation: { mode: server.url === null ? "legacy" : "auto", probe: { timeoutMs: startMs } },
      // What a server promises of its results is not ours to judge, and its patterns might never end.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  let gone: string | null = null;
  client.onclose = () => {
    gone ??= "it closed the connection";
  };
  const close = async (): Promise<void> => {
    await leave();
    await client.close();
    await transport.close();
  };
  try {
    await client.connect(transport, { signal: parts.signal, timeout: startMs });
  } catch (error) {
    const how = ended();
    await close();
    parts.signal.throwIfAborted();
    throw startFailure(server, { error, how, redact: parts.redact });
  }
  const timeout = server.timeoutSeconds * 1000;
  return {
    client,
    ended: () => ended() ?? gone,
    close,
    call: async (tool, args, signal) => {
      const limits = { signal, timeout, maxTotalTimeout: timeout };
      try {
        return await client.callTool(
          { name: tool.name, arguments: args },
          { ...limits, toolDefinition: tool },
        );
      } catch (error) {
        // A server that has begun anew knows nothing of the sessions before.
        if (statusOf(error) === 404) gone ??= "it has forgotten the session";
        throw error;
      }
    },
  };
};

const LEAVE_MS = 2_000;

const transportOf = (server: McpServer, parts: ConnectionParts) => {
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

const toolsOf = async (
  server: McpServer,
  opened: Opened,
  { signal, redact, startMs = START_MS }: OpeningParts,
): Promise<readonly ServersTool[]> => {
  try {
    const listed = await opened.client.listTools(undefined, { signal, timeout: startMs });
    return listed.tools;
  } catch (error) {
    const how = opened.ended();
    await opened.close();
    signal.throwIfAborted();
    throw startFailure(server, { error, how, redact });
  }
};
