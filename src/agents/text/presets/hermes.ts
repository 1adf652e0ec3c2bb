import type { Preset } from "./preset.ts";

const SESSION = /^session_id:\s*(\S+)\s*$/gm;

const ARGS = ["chat", "--quiet", "--yolo"];

/** Hermes Agent (`hermes`), as documented: one query as an argument, the answer as text; the session stands after it, or among the errors. */
export const hermes: Preset = {
  run: (prompt, own) => ({ args: [...ARGS, ...own, "--query", prompt] }),
  continue: (sessionId, prompt, own) => ({
    args: [...ARGS, ...own, "--resume", sessionId, "--query", prompt],
  }),
  env: {},
  read: ({ output, errors }) => {
    const [inOutput, inErrors] = [output, errors].map((text) => [...text.matchAll(SESSION)].at(-1));
    const text = inOutput === undefined ? output : output.slice(0, inOutput.index);
    if (text.trim() === "") return { problem: "it ended without an answer" };
    return {
      output: text.trim(),
      sessionId: inOutput?.[1] ?? inErrors?.[1] ?? null,
      model: null,
      usage: null,
    };
  },
};
