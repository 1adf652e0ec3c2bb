import { z } from "zod";
import { addUsage } from "../../llm/usage.ts";
import { Usage } from "../../store/payload.ts";

/** A limit of its thread or role that a program has come to, as a sentence for people. */
const Limit = z.strictObject({ of: z.enum(["thread", "role"]), reason: z.string().trim().min(1).max(2_000) });

const Word = z.union([
  z.strictObject({ usage: Usage.partial({ cachedInputTokens: true, costUsd: true }) }),
  z.strictObject({ limit: Limit }),
]);

/** What a program says to uwf in its trace, one thing in a line: `{"uwf": {"usage": {…}}}`. */
export type Word = z.input<typeof Word>;

/** All that a program has said: what it has used, the lines together, and the limit that it has come to. Null: it did not say. */
export type Told = { usage: Usage | null; limit: z.output<typeof Limit> | null };

export const nothingTold: Told = { usage: null, limit: null };

/** What one line says; null when it is not said as it has to be. */
export const readTold = (value: unknown): Told | null => {
  const { success, data } = Word.safeParse(value);
  if (!success) return null;
  if ("limit" in data) return { usage: null, limit: data.limit };
  const { cachedInputTokens = 0, costUsd = null, ...tokens } = data.usage;
  return { usage: { ...tokens, cachedInputTokens, costUsd }, limit: null };
};

export const addTold = (before: Told, more: Told): Told => ({
  usage:
    before.usage === null || more.usage === null
      ? (before.usage ?? more.usage)
      : addUsage(before.usage, more.usage),
  limit: more.limit ?? before.limit,
});
