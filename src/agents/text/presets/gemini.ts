import { z } from "zod";
import type { Usage } from "../../../store/payload.ts";
import { jsonAtEnd } from "./json-output.ts";
import type { Preset } from "./preset.ts";

const count = z.number().nonnegative().catch(0);
const Tokens = z.object({ prompt: count, cached: count, candidates: count, thoughts: count });

const Result = z.object({
  session_id: z.string().nullable().catch(null),
  response: z.string().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  stats: z
    .object({ models: z.record(z.string(), z.object({ tokens: Tokens })) })
    .nullable()
    .catch(null),
});

const ARGS = ["--output-format", "json", "--approval-mode", "yolo", "--skip-trust"];

/** Gemini CLI (`gemini`), 0.61: the prompt on standard input, one JSON object. */
export const gemini: Preset = {
  hosts: ["generativelanguage.googleapis.com", "aiplatform.googleapis.com"],
  run: (prompt, own) => ({ args: [...ARGS, ...own], stdin: prompt }),
  continue: (sessionId, prompt, own) => ({ args: [...ARGS, ...own, "--resume", sessionId], stdin: prompt }),
  env: {},
  read: ({ output, errors }) => {
    // What goes wrong is told on the other stream.
    const result = jsonAtEnd(output, Result) ?? jsonAtEnd(errors, Result);
    if (result === null) return { problem: "its output is not the JSON of `--output-format json`" };
    if (result.error) return { problem: result.error.message };
    if (result.response == null) return { problem: "its output has no response" };
    const models = Object.entries(result.stats?.models ?? {});
    return {
      output: result.response,
      sessionId: result.session_id,
      model: models[0]?.[0] ?? null,
      usage: models.length === 0 ? null : sum(models.map(([, { tokens }]) => tokens)),
    };
  },
};

const sum = (all: readonly z.infer<typeof Tokens>[]): Usage => {
  const total = (of: (tokens: z.infer<typeof Tokens>) => number): number =>
    all.reduce((so, tokens) => so + of(tokens), 0);
  return {
    inputTokens: total(({ prompt }) => prompt),
    cachedInputTokens: total(({ cached }) => cached),
    outputTokens: total(({ candidates, thoughts }) => candidates + thoughts),
    costUsd: null,
  };
};
