import type { Cut, Range } from "./range.ts";

/** Of code in these languages forges draw a picture, in which the source cannot be read. */
const PICTURES = new Set(["geojson", "topojson", "stl"]);

/** Of a formula: what TeX leaves out, leaves blank, or draws in the colour of paper. */
const UNSEEN_TEX =
  /(?<!\\)%|\\[hv]?phantom\b|\\(?:text|page)?color(?:box)?\s*(?:\[\w*\])?\s*\{\s*(?:white|transparent|1(?:\s*,\s*1){2}|#?f{3,6})|\\(?:cssId|class|style|href|texttip|mathtip|tooltip|rlap|llap|smash|require|def|newcommand|tag)\b|\\(?:tiny|scriptscriptstyle)\b/i;

/** What nobody sees of code that is drawn. */
export const drawingCuts = (text: string, { from, to }: Range, language: string): Cut[] => {
  const name = /^\w+/.exec(language)?.[0].toLowerCase() ?? "";
  const source = text.slice(from, to);
  if (PICTURES.has(name)) return [{ from, to, kind: "behind" }];
  if (name === "math") return UNSEEN_TEX.test(source) ? [{ from, to, kind: "behind" }] : [];
  if (name !== "mermaid") return [];
  return [...source.matchAll(/%%.*/g)].map(({ index, 0: comment }) => ({
    from: from + index,
    to: from + index + comment.length,
    kind: "behind",
  }));
};

/** Formulas among words that hide a part of themselves. */
export const formulaCuts = (text: string, { from, to }: Range): Cut[] => {
  const words = text.slice(from, to);
  if (!words.includes("$")) return [];
  return [...words.matchAll(/\$\$[^$]{1,2000}\$\$|\$(?=\S)[^$\n]{1,500}\$/g)].flatMap(
    ({ index, 0: formula }) =>
      UNSEEN_TEX.test(formula)
        ? [{ from: from + index, to: from + index + formula.length, kind: "behind" as const }]
        : [],
  );
};
