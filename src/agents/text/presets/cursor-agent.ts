import { z } from "zod";
import { jsonAtEnd } from "./json-output.ts";
import type { Preset } from "./preset.ts";

const Result = z.object({
  type: z.literal("result"),
  is_error: z.boolean(),
  result: z.string(),
  session_id: z.string().nullable().catch(null),
});

const ARGS = ["-p", "--output-format", "json", "--force", "--trust"];

/** Cursor's command line (`cursor-agent`), as documented: print mode, the prompt as an argument, one JSON object without usage. */
export const cursorAgent: Preset = {
  hosts: ["*.cursor.sh"],
  run: (prompt, own) => ({ args: [...ARGS, ...own, prompt] }),
  continue: (sessionId, prompt, own) => ({ args: [...ARGS, ...own, `--resume=${sessionId}`, prompt] }),
  env: {},
  read: ({ output }) => {
    const result = jsonAtEnd(output, Result);
    if (result === null) return { problem: "its output is not the JSON of `--output-format json`" };
    if (result.is_error) return { problem: result.result };
    return { output: result.result, sessionId: result.session_id, model: null, usage: null };
  },
};
