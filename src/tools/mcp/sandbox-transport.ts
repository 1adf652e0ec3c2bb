import { PassThrough } from "node:stream";
import { ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import type { McpServer } from "../../store/agent-payload.ts";
import type { CommandResult } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { terminalText } from "../terminal-text.ts";

export type SandboxTransport = Transport & {
  /** How the program ended, with the last that it complained about; null while it runs. */
  ended(): string | null;
};

/** A server that says more than this without being asked anything floods: it is ended. */
const MAX_BYTES = 16 * 1024 * 1024;
const TOO_MUCH = "it said more than 16 MiB at once";
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
  const buffer = new ReadBuffer({ maxBufferSize: MAX_BYTES });
  let complaint = "";
  let unasked = 0;
  let end: string | null = null;
  let run: Promise<void> = Promise.resolve();

  const endFor = (reason: string): void => {
    end ??= reason;
    stop.abort();
  };
  const take = (piece: string): void => {
    unasked += Buffer.byteLength(piece);
    if (end !== null) return;
    try {
      if (unasked > MAX_BYTES) throw new Error(TOO_MUCH);
      buffer.append(Buffer.from(piece));
      for (let more = true; more; ) more = deliver();
    } catch {
      // One message may be no longer either.
      endFor(TOO_MUCH);
    }
  };
  /** What is no message is left out: programs print other things as well. */
  const deliver = (): boolean => {
    try {
      const message = buffer.readMessage();
      if (message !== null) transport.onmessage?.(message);
      return message !== null;
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      return true;
    }
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
      unasked = 0;
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
