import { Client, ProtocolError, type Tool as ServersTool } from "@modelcontextprotocol/client";
import type { Redact } from "../../base/redact.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import { startFailure, statusOf } from "./failures.ts";
import { type TransportParts, transportOf } from "./server-transport.ts";

export type ServerParts = TransportParts & {
  /** Masks what the server is given and may say again. */
  redact: Redact;
  /** Milliseconds for the handshake, and again for the list of tools. Default: 60,000. */
  startMs?: number;
};

/** A client and what it talks through. */
export type OpenServer = {
  /** What it lists now. */
  tools(): Promise<readonly ServersTool[]>;
  /** Rejects with whatever the client throws. */
  call(tool: ServersTool, args: Record<string, unknown>, signal: AbortSignal): ReturnType<Client["callTool"]>;
  /** Why it is no longer there; null while it is. */
  ended(): string | null;
  close(): Promise<void>;
};

const START_MS = 60_000;
const MAX_PAGES = 20;

/** Starts or reaches the server. Throws `mcp-server-failed` (fix-config), `mcp-unreachable` (retry), or the signal's reason. */
export const openServer = (server: McpServer, parts: ServerParts): Promise<OpenServer> =>
  // Older programs end when they are asked which version they speak; addresses are asked first.
  openAs(server.url === null ? "legacy" : "auto", { server, parts });

const openAs = async (
  mode: "legacy" | "auto",
  { server, parts }: { server: McpServer; parts: ServerParts },
): Promise<OpenServer> => {
  const { startMs = START_MS, signal, redact } = parts;
  const { transport, ended, leave } = transportOf(server, parts);
  const client = new Client(
    { name: "uwf", version: "1" },
    {
      capabilities: {},
      listMaxPages: MAX_PAGES,
      versionNegotiation: { mode, probe: { timeoutMs: startMs } },
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
  const failure = async (error: unknown): Promise<unknown> => {
    const how = ended();
    await close();
    return signal.aborted ? signal.reason : startFailure(server, { error, how, redact });
  };
  try {
    await client.connect(transport, { signal, timeout: startMs });
  } catch (error) {
    const thrown = await failure(error);
    if (mode === "legacy" && error instanceof ProtocolError && !signal.aborted)
      return openAs("auto", { server, parts });
    throw thrown;
  }
  const timeout = server.timeoutSeconds * 1000;
  return {
    ended: () => ended() ?? gone,
    close,
    tools: async () => {
      try {
        return (await client.listTools(undefined, { signal, timeout: startMs })).tools;
      } catch (error) {
        throw await failure(error);
      }
    },
    call: async (tool, args, stop) => {
      const limits = { signal: stop, timeout, maxTotalTimeout: timeout };
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
