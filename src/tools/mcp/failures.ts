import { SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { AppError, configError, messageOf } from "../../base/errors.ts";
import type { Redact } from "../../base/redact.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import { terminalText } from "../terminal-text.ts";

const MAX_SAID = 1_000;

/** `how`: how its program ended, where it did. `redact` masks what the server was given and may say again. */
type Failed = { error: unknown; how: string | null; redact: Redact };

/** Why a step cannot have a server's tools: the configuration's fault, or an outage that passes. */
export const startFailure = (server: McpServer, failed: Failed): AppError => {
  const { error } = failed;
  if (error instanceof AppError) return error;
  const said = reasonOf(failed);
  if (server.url === null)
    return configError(
      "mcp-server-failed",
      `the MCP server "${server.name}" did not start: ${said}`,
      `Its program is mcpServers.${server.name}.command in config.yaml; it is run in the sandbox, in the workspace.`,
    );
  const status = statusOf(error);
  if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return configError(
      "mcp-server-failed",
      `the MCP server "${server.name}" refused: HTTP ${status}`,
      `Its address and key are mcpServers.${server.name}.url and .apiKeyEnv in config.yaml.`,
    );
  return new AppError(`the MCP server "${server.name}" cannot be reached: ${said}`, {
    code: "mcp-unreachable",
    remedy: "retry",
    hint: `Its address is mcpServers.${server.name}.url in config.yaml.`,
    cause: error,
  });
};

/** What a model is told about a call that came to nothing. */
export const callFailure = (server: McpServer, failed: Failed & { startsAgain: boolean }): Error => {
  const { error, how, startsAgain } = failed;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new Error(
      `no answer within ${server.timeoutSeconds} s; the server "${server.name}" was told to stop. Ask for less at once.`,
    );
  if (how !== null)
    return new Error(
      `the server "${server.name}" has gone: ${reasonOf(failed)}. ` +
        (startsAgain ? "Another call starts it again." : "It is not started again: do without it."),
    );
  return new Error(reasonOf(failed));
};

const reasonOf = ({ error, how, redact }: Failed): string =>
  redact(terminalText(how ?? causes(error)))
    .slice(0, MAX_SAID)
    .toWellFormed();

/** Of an error of the network only the innermost says what it was. */
const causes = (error: unknown): string => {
  const status = statusOf(error);
  if (status !== null) return `HTTP ${status}`;
  const inner = error instanceof Error && error.cause instanceof Error ? causes(error.cause) : "";
  return inner === "" ? messageOf(error) : inner;
};

/** The HTTP status that an error came of; null where it came of none. */
export const statusOf = (error: unknown): number | null => {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof SdkHttpError && typeof at.data.status === "number") return at.data.status;
  return null;
};
