const MARK = String.raw`(?://|#|/\*|\*|--|;|%|<!--|\{/\*)\s*`;
const DOTS = String.raw`(?:\.\.\.|…)`;
const LEFT = "(?:rest|remaining|remainder|existing|previous|other|original|same|all)";
const CODE =
  "(?:code|file|function|method|class|implementation|content|line|logic|import|test|jsx|html|markup|prop|field|style|rule|handler|definition|configuration)";
/** "rest of the code", "existing methods". */
const PHRASE = `${LEFT} (?:of )?(?:the |this |my |your )?${CODE}\\w*`;
const KEPT = "(?:rest unchanged|unchanged|omitted|same as before|remains? the same|stays? the same)";

/** A comment (or a bare ellipsis) that stands for code which the writer left out. */
const PLACEHOLDERS: readonly RegExp[] = [
  `^${MARK}[[(]?${DOTS}.{0,40}\\b(?:${PHRASE}|${KEPT})\\b`,
  `^${DOTS}\\s*[ ([].{0,40}\\b(?:${PHRASE}|rest of|${KEPT})`,
  `^${MARK}[[(]?(?:the |keep )?(?:${PHRASE}|rest)\\b.{0,40}(?:${DOTS}|\\b${KEPT}|\\bgoes here\\b)`,
].map((source) => new RegExp(source, "i"));

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
