/** A part of an agent's answer that may be its frontmatter. */
export type AnswerBlock = {
  text: string;
  /** The line of the answer on which it begins, from 1. */
  line: number;
};

/** More rulers and fences than an answer has that holds its output. */
const MOST_MARKS = 200;

/**
 * What may be frontmatter in an answer, the likeliest first: what stands between `---` lines or in a fence, where the
 * answer begins; else the last such part, and so on to the first; and the whole answer where it is a JSON object.
 */
export const answerBlocks = (answer: string): AnswerBlock[] => {
  const lines = answer.replace(/^\uFEFF/, "").split(/\r?\n/);
  const found = [...ruled(lines), ...fenced(lines)]
    .filter(({ text }) => text.trim() !== "")
    .sort((a, b) => a.line - b.line);
  const begins = lines.findIndex((line) => !isFence(line) && !isRuler(line) && line.trim() !== "") + 1;
  const leading = found.filter(({ line }) => line <= begins);
  const later = found.filter(({ line }) => line > begins).reverse();
  return [...leading, ...later, ...wholeObject(answer)];
};

/** Between two rulers that follow each other. */
const ruled = (lines: readonly string[]): AnswerBlock[] => {
  const marks = lines.flatMap((line, index) => (isRuler(line) ? [index] : [])).slice(0, MOST_MARKS);
  return marks.slice(1).map((end, index) => between(lines, marks[index] ?? 0, end));
};

/** In fences without rulers of their own: those were found by them. */
const fenced = (lines: readonly string[]): AnswerBlock[] => {
  const blocks: AnswerBlock[] = [];
  let open: number | null = null;
  for (const [index, line] of lines.entries()) {
    if (!isFence(line)) continue;
    if (open === null) {
      open = index;
      continue;
    }
    const inside = lines.slice(open + 1, index);
    // A ruler that opens a block which the fence closes.
    const start = inside.filter(isRuler).length === 1 && isRuler(inside[0] ?? "") ? open + 1 : open;
    if (start > open || !inside.some(isRuler)) blocks.push(between(lines, start, index));
    open = null;
    if (blocks.length >= MOST_MARKS) break;
  }
  return blocks;
};

const between = (lines: readonly string[], from: number, to: number): AnswerBlock => ({
  text: lines.slice(from + 1, to).join("\n"),
  line: from + 2,
});

const wholeObject = (answer: string): AnswerBlock[] => {
  const text = answer.trim();
  return text.startsWith("{") && text.endsWith("}") ? [{ text, line: 1 }] : [];
};

const isRuler = (line: string): boolean => /^(---|\.\.\.)\s*$/.test(line);
const isFence = (line: string): boolean => /^\s{0,3}(```|~~~)\s*[\w-]*\s*$/.test(line);
