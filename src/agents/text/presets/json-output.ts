import type { z } from "zod";

/** The lines of an output that are JSON objects of this shape; others are left out, since programs also warn and greet. */
export const jsonLines = <T>(output: string, shape: z.ZodType<T>): T[] =>
  output.split("\n").flatMap((line) => {
    const parsed = line.trimStart().startsWith("{") ? shape.safeParse(parsedOrNothing(line)) : null;
    return parsed?.success ? [parsed.data] : [];
  });

/** Each is read to the end of the output, which may be many megabytes of whatever was printed. */
const MOST_BEGINNINGS = 10;

/**
 * The JSON object that an output is, or ends with, from a line on that begins with a brace; null when there is none of this shape. It
 * is looked for from the output's beginning, and from the last of such lines.
 */
export const jsonAtEnd = <T>(output: string, shape: z.ZodType<T>): T | null => {
  const text = output.trimEnd();
  const beginnings = [...text.matchAll(/^\{/gm)].map(({ index }) => index);
  for (const index of [...beginnings.slice(0, 1), ...beginnings.slice(1).slice(-MOST_BEGINNINGS)]) {
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
