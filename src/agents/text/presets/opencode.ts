import { z } from "zod";
import { jsonLines } from "./json-output.ts";
import type { Preset } from "./preset.ts";

const count = z.number().nonnegative().catch(0);
const sessionID = z.string();

const Event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    sessionID,
    part: z.object({ messageID: z.string(), text: z.string() }),
  }),
  z.object({
    type: z.literal("step_finish"),
    sessionID,
    part: z.object({
      tokens: z.object({
        input: count,
        output: count,
        reasoning: count,
        cache: z.object({ read: count, write: count }),
      }),
      cost: count,
    }),
  }),
  z.object({
    type: z.literal("error"),
    sessionID,
    error: z.object({
      name: z.string().catch("error"),
      data: z.object({ message: z.string() }).optional().catch(undefined),
    }),
  }),
]);
type Step = Extract<z.infer<typeof Event>, { type: "step_finish" }>;

const ARGS = ["run", "--format", "json", "--auto"];

/** OpenCode (`opencode`), 1.18: `run`, the prompt on standard input, JSON lines of events. The answer is the last message's text. */
export const opencode: Preset = {
  hosts: ["models.dev", "opencode.ai", "api.openai.com", "api.anthropic.com", "openrouter.ai"],
  run: (prompt, own) => ({ args: [...ARGS, ...own], stdin: prompt }),
  continue: (sessionId, prompt, own) => ({ args: [...ARGS, ...own, "--session", sessionId], stdin: prompt }),
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_SHARE: "1" },
  read: ({ output }) => {
    const events = jsonLines(output, Event);
    const texts = events.filter((event) => event.type === "text");
    const error = events.findLast((event) => event.type === "error");
    const last = texts.at(-1);
    if (error !== undefined) return { problem: error.error.data?.message ?? error.error.name };
    if (last === undefined) return { problem: "it ended without a message" };
    const said = texts.filter(({ part }) => part.messageID === last.part.messageID);
    return {
      output: said.map(({ part }) => part.text).join("\n"),
      sessionId: last.sessionID,
      model: null,
      usage: usageOf(events.filter((event) => event.type === "step_finish")),
    };
  },
};

/** A cost of nothing is what it says of models whose price it does not know. */
const usageOf = (steps: readonly Step[]) => {
  const total = (of: (part: Step["part"]) => number): number =>
    steps.reduce((so, { part }) => so + of(part), 0);
  const cost = total((part) => part.cost);
  return {
    inputTokens: total(({ tokens: { input, cache } }) => input + cache.read + cache.write),
    cachedInputTokens: total(({ tokens: { cache } }) => cache.read),
    outputTokens: total(({ tokens: { output, reasoning } }) => output + reasoning),
    costUsd: cost === 0 ? null : cost,
  };
};
