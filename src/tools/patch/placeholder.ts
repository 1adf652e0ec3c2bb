const KEPT =
  "rest|remaining|remainder|existing|previous|unchanged|omitted|same as before|as before|stays the same";

/** A comment (or bare ellipsis) that stands for code which the writer left out. */
const PLACEHOLDERS: readonly RegExp[] = [
  new RegExp(`^(?://|#|/\\*|\\*|--|;|%|<!--|\\{/\\*)?\\s*(?:\\.\\.\\.|…).*\\b(?:${KEPT})\\b`, "i"),
  new RegExp(
    `^(?://|#|/\\*|\\*|--|;|%|<!--|\\{/\\*)\\s*[\\[(]?.{0,60}\\b(?:${KEPT})\\b.{0,60}(?:\\.\\.\\.|…)`,
    "i",
  ),
  /^(?:\/\/|#|\/\*|--|;|%|<!--|\{\/\*)\s*[[(]?(?:the )?(?:rest|remainder) of (?:the |this )?(?:code|file|function|method|class|module|implementation|content)s?\b.{0,30}\b(?:unchanged|remains?|the same|here|as before|omitted)\b/i,
  /^(?:\/\/|#|\/\*|--|;|%|<!--|\{\/\*)\s*[[(]?(?:code|file|everything else|all else|other (?:code|functions|methods)) (?:is |are |remains? |stays? )?(?:unchanged|omitted)\b/i,
];

/**
 * The first line of `text` that stands for left-out code ("… rest unchanged …") and is not a line of `before`, or
 * null. Its place would be lost when the text is written.
 */
export const newPlaceholder = (text: string, before: string): string | null => {
  const known = new Set(before.split("\n").map((line) => line.trim()));
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed.length > 200 || known.has(trimmed)) continue;
    if (PLACEHOLDERS.some((placeholder) => placeholder.test(trimmed))) return trimmed;
  }
  return null;
};
