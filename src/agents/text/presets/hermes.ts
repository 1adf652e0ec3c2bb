import type { Preset } from "./preset.ts";

const SESSION = /^session_id:\s*(\S+)\s*$/gm;
const SESSION_AT_END = /^session_id:\s*(\S+)\s*$(?![\s\S])/m;

const ARGS = ["chat", "--quiet", "--yolo"];

/** Hermes Agent (`hermes`), as documented: one query as an argument, the answer as text; the session stands after it, or among the errors. */
export const hermes: Preset = {
  hosts: ["openrouter.ai", "inference-api.nousresearch.com"],
  run: (prompt, own) => ({ args: [...ARGS, ...own, "--query", prompt] }),
  continue: (sessionId, prompt, own) => ({
    args: [...ARGS, ...own, "--resume", sessionId, "--query", prompt],
  }),
  env: {},
  read: ({ output, errors }) => {
    const atEnd = SESSION_AT_END.exec(output);
    const text = atEnd === null ? output : output.slice(0, atEnd.index);
    if (text.trim() === "") return { problem: "it ended without an answer" };
    return {
      output: text.trim(),
      sessionId: atEnd?.[1] ?? [...errors.matchAll(SESSION)].at(-1)?.[1] ?? null,
      model: null,
      usage: null,
    };
  },
};
