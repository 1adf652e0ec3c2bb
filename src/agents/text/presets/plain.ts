import type { Preset } from "./preset.ts";

/** A program of which nothing is known: the prompt on standard input, the answer on standard output, no session. */
export const plain: Preset = {
  hosts: [],
  run: (prompt, own) => ({ args: own, stdin: prompt }),
  continue: null,
  env: {},
  read: ({ output }) => ({ output, sessionId: null, model: null, usage: null }),
};
