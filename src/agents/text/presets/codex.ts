import { z } from "zod";
import { jsonLines } from "./json-output.ts";
import type { Preset } from "./preset.ts";

const count = z.number().nonnegative().catch(0);

const Event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({
    type: z.literal("item.completed"),
    item: z.object({ type: z.literal("agent_message"), text: z.string() }),
  }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z.object({ input_tokens: count, cached_input_tokens: count, output_tokens: count }),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

/** The thread's sandbox holds it: a second one inside cannot be made. */
const ARGS = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

/** Codex CLI (`codex`), 0.169: `exec`, the prompt on standard input, JSON lines of events. */
export const codex: Preset = {
  hosts: ["api.openai.com"],
  run: (prompt, own) => ({ args: ["exec", ...ARGS, ...own, "-"], stdin: prompt }),
  continue: (sessionId, prompt, own) => ({
    args: ["exec", "resume", ...ARGS, ...own, sessionId, "-"],
    stdin: prompt,
  }),
  env: {},
  read: ({ output }) => {
    const events = jsonLines(output, Event);
    const failed = events.findLast((event) => event.type === "turn.failed");
    const refused = events.findLast((event) => event.type === "error");
    const message = events.findLast((event) => event.type === "item.completed");
    const done = events.findLast((event) => event.type === "turn.completed");
    if (failed !== undefined) return { problem: failed.error.message };
    if (message === undefined) return { problem: refused?.message ?? "it ended without a message" };
    const started = events.find((event) => event.type === "thread.started");
    return {
      output: message.item.text,
      sessionId: started?.thread_id ?? null,
      model: null,
      usage: done
        ? {
            inputTokens: done.usage.input_tokens,
            cachedInputTokens: done.usage.cached_input_tokens,
            outputTokens: done.usage.output_tokens,
            costUsd: null,
          }
        : null,
    };
  },
};
