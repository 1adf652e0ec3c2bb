import type { Secrets } from "./redact.ts";

/** Masks a text that comes in pieces: what may be the beginning of a secret waits for the next one. */
export type RedactStream = {
  /** What of the text can be shown by now. */
  push(piece: string): string;
  /** The rest, when nothing more comes. */
  end(): string;
};

export const redactStream = ({ redact, heldBack }: Pick<Secrets, "redact" | "heldBack">): RedactStream => {
  let held = "";
  return {
    push: (piece) => {
      const text = held + piece;
      const end = text.length - heldBack(text);
      held = text.slice(end);
      return redact(text.slice(0, end));
    },
    end: () => {
      const rest = held;
      held = "";
      return redact(rest);
    },
  };
};
