import { deserializeMessage, type JSONRPCMessage } from "@modelcontextprotocol/client";

/** What a program prints, read as messages: one JSON text in a line. */
export type MessageLines = {
  /** The messages that this piece completes; null when the program floods. */
  push(piece: string): JSONRPCMessage[] | null;
  /** It was asked something: what it says from now on is counted anew. */
  asked(): void;
};

const MAX_CHARS = 16 * 1024 * 1024;
const MAX_LINES = 5_000;

/** What is no message is left out: programs print other things as well. */
export const messageLines = (): MessageLines => {
  let rest: string[] = [];
  let restChars = 0;
  let chars = 0;
  let lines = 0;
  return {
    push: (piece) => {
      chars += piece.length;
      const [first = "", ...more] = piece.split("\n");
      lines += more.length;
      if (chars > MAX_CHARS || lines > MAX_LINES) return null;
      rest.push(first);
      restChars += first.length;
      const last = more.pop();
      if (last === undefined) return [];
      const whole = [rest.join(""), ...more];
      rest = [last];
      restChars = last.length;
      return whole.flatMap(messageIn);
    },
    asked: () => {
      chars = restChars;
      lines = 0;
    },
  };
};

const messageIn = (line: string): JSONRPCMessage[] => {
  if (!line.startsWith("{")) return [];
  try {
    return [deserializeMessage(line)];
  } catch {
    return [];
  }
};
