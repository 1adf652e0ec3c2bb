import type { z } from "zod";

/** The lines of an output that are JSON objects of this shape; others are left out, since programs also warn and greet. */
export const jsonLines = <T>(output: string, shape: z.ZodType<T>): T[] =>
  output.split("\n").flatMap((line) => {
    const parsed = line.trimStart().startsWith("{") ? shape.safeParse(parsedOrNothing(line)) : null;
    return parsed?.success ? [parsed.data] : [];
  });

/** The JSON object that an output is, or ends with, from a line on that begins with a brace; null when there is none of this shape. */
export const jsonAtEnd = <T>(output: string, shape: z.ZodType<T>): T | null => {
  const text = output.trimEnd();
  for (const { index } of text.matchAll(/^\{/gm)) {
    const parsed = shape.safeParse(parsedOrNothing(text.slice(index)));
    if (parsed.success) return parsed.data;
  }
  return jsonLines(output, shape).at(-1) ?? null;
};

const parsedOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
