import { z } from "zod";
import { jsonAtEnd } from "./json-output.ts";
import type { Preset } from "./preset.ts";

const count = z.number().nonnegative().catch(0);

const Result = z.object({
  type: z.literal("result"),
  is_error: z.boolean(),
  subtype: z.string().catch(""),
  result: z.string().catch(""),
  session_id: z.string().nullable().catch(null),
  total_cost_usd: z.number().nonnegative().nullable().catch(null),
  usage: z
    .object({
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      output_tokens: count,
    })
    .nullable()
    .catch(null),
  modelUsage: z.record(z.string(), z.unknown()).catch({}),
});

const ARGS = ["-p", "--output-format", "json", "--permission-mode", "bypassPermissions"];

/** Claude Code (`claude`), 2.1: print mode, the prompt on standard input, one JSON object. */
export const claude: Preset = {
  hosts: ["api.anthropic.com"],
  run: (prompt, own) => ({ args: [...ARGS, ...own], stdin: prompt }),
  continue: (sessionId, prompt, own) => ({ args: [...ARGS, ...own, "--resume", sessionId], stdin: prompt }),
  env: { DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  read: ({ output }) => {
    const result = jsonAtEnd(output, Result);
    if (result === null) return { problem: "its output is not the JSON of `--output-format json`" };
    if (result.is_error) return { problem: result.result || result.subtype };
    const { usage } = result;
    return {
      output: result.result,
      sessionId: result.session_id,
      model: Object.keys(result.modelUsage)[0] ?? null,
      usage: usage && {
        inputTokens: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
        cachedInputTokens: usage.cache_read_input_tokens,
        outputTokens: usage.output_tokens,
        costUsd: result.total_cost_usd,
      },
    };
  },
};
