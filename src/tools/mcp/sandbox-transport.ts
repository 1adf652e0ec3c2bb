import { PassThrough } from "node:stream";
import { serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import type { CommandResult } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { terminalText } from "../terminal-text.ts";
import { messageLines } from "./message-lines.ts";

export type SandboxTransport = Transport & {
  /** How the program ended, with the last that it complained about; null while it runs. */
  ended(): string | null;
};

/** The step ends it: this is as long as a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;
const KEPT_COMPLAINT = 2_000;
const FAREWELL_MS = 500;

/**
 * Talks with a server that is a program in the thread's sandbox, over its standard streams. When it is closed, or the signal fires,
 * every process of it is gone.
 */
export const sandboxTransport = (
  { command, args, env }: { command: string; args: McpServer["args"]; env: Readonly<Record<string, string>> },
  { workspace, signal }: { workspace: Workspace; signal: AbortSignal },
): SandboxTransport => {
  const input = new PassThrough();
  const stop = new AbortController();
  const lines = messageLines();
  let complaint = "";
  let end: string | null = null;
  let run: Promise<void> = Promise.resolve();

  const endFor = (reason: string): void => {
    end ??= reason;
    stop.abort();
  };
  const take = (piece: string): void => {
    if (end !== null) return;
    const messages = lines.push(piece);
    if (messages === null) endFor("it said too much at once");
    else for (const message of messages) transport.onmessage?.(message);
  };
  const transport: SandboxTransport = {
    start: async () => {
      const running = workspace.exec({
        command: [command, ...args],
        env,
        timeoutMs: FOR_EVER_MS,
        maxOutputBytes: KEPT_COMPLAINT,
        signal: AbortSignal.any([signal, stop.signal]),
        stdin: input,
        onOutput: take,
        onError: (piece) => {
          complaint = (complaint + piece).slice(-KEPT_COMPLAINT);
        },
      });
      run = running
        .then(howItEnded, (error: unknown) => `it could not be run: ${messageOf(error)}`)
        .then((how) => {
          end ??= how;
          transport.onclose?.();
        });
    },
    send: async (message) => {
      lines.asked();
      input.write(serializeMessage(message));
    },
    close: async () => {
      input.end();
      await Promise.race([run, pause(FAREWELL_MS)]);
      endFor("it was closed");
      await run;
    },
    ended: () => {
      if (end === null) return null;
      const said = terminalText(complaint).trim();
      return said === "" ? end : `${end}; it said: ${said}`;
    },
  };
  return transport;
};

const howItEnded = ({ exitCode }: CommandResult): string =>
  exitCode === null ? "it was killed" : `it ended with exit code ${exitCode}`;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
