import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Context } from "../context.ts";

export type Terminal = {
  /** What is typed after the question. */
  ask(question: string): Promise<string>;
  /** The same for what must not appear on the screen, typed or pasted. */
  askHidden(question: string): Promise<string>;
  say(line: string): void;
  close(): void;
};

/** The terminal for a conversation; Ctrl-C ends it. */
export const openTerminal = (context: Context): Terminal => {
  let isMuted = false;
  const screen = new Writable({
    write: (piece, _, done) => {
      if (!isMuted) context.stdout.write(String(piece));
      done();
    },
  });
  const lines = createInterface({ input: context.stdin, output: screen, terminal: true });
  const signal = context.interruption(() => context.stdout.write("\n"));
  return {
    ask: (question) => lines.question(question, { signal }),
    askHidden: async (question) => {
      const answer = lines.question(question, { signal });
      isMuted = true;
      try {
        return await answer;
      } finally {
        isMuted = false;
        screen.write("\n");
      }
    },
    say: (line) => context.stdout.write(`${line}\n`),
    close: () => lines.close(),
  };
};
