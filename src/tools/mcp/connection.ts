import type { Tool as ServersTool } from "@modelcontextprotocol/client";
import { type Redact, redactor } from "../../base/redact.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import { callFailure } from "./failures.ts";
import { type OpenServer, openServer, type ServerParts } from "./open-server.ts";

export type ConnectionParts = Omit<ServerParts, "redact">;

/** One server, for as long as a step lasts. */
export type Connection = {
  /** What it listed when it was first connected; what it lists later is not looked at. */
  tools: readonly ServersTool[];
  /** Rejects with a message for a model, or with the signal's reason. A server that has gone is started anew. */
  call: OpenServer["call"];
  /** Masks what the server was given and may say again. */
  redact: Redact;
  close(): Promise<void>;
};

/** A program that keeps ending is not started for ever. */
const MAX_STARTS = 4;

/** Starts or reaches the server. Throws `mcp-server-failed` (fix-config), `mcp-unreachable` (retry), or the signal's reason. */
export const connect = async (server: McpServer, parts: ConnectionParts): Promise<Connection> => {
  const given = [...server.env, ...(server.apiKeyEnv === undefined ? [] : [server.apiKeyEnv])];
  const redact = redactor(given.map(parts.variable));
  const open = (): Promise<OpenServer> => openServer(server, { ...parts, redact });
  let current = open();
  let starts = 1;
  const tools = await current.then((first) => first.tools());

  const opened = async (): Promise<OpenServer> => {
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
