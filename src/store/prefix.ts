import { inputError } from "../base/errors.ts";
import { normalizeId } from "../base/ids.ts";

const shortest = 8;

/**
 * The range of ids that begin with what a person typed, in any case and with Crockford's look-alikes: from `from`,
 * below `to`, compared byte by byte. Throws `prefix-too-short` under 8 characters.
 */
export const prefixRange = (text: string): { from: string; to: string } => {
  const prefix = normalizeId(text);
  if (prefix.length < shortest)
    throw inputError(
      "prefix-too-short",
      `"${text}" is too short to name one`,
      `Give ${shortest} characters or more.`,
    );
  return { from: prefix, to: `${prefix}~` };
};
