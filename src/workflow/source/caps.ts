import type { CST, Lexer } from "yaml";

/** What a workflow file may take. Far above what anybody writes, far below what hurts. */
export const caps = {
  bytes: 256 * 1024,
  depth: 64,
  tokens: 40_000,
  aliases: 50,
  /** Values after aliases are expanded. */
  values: 30_000,
} as const;

export type CapProblem = { offset: number; message: string };

// What YAML does not allow in text; a lone half of a surrogate pair has no UTF-8 form.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The first reason not to parse `text` at all. Only its tokens are read, which takes time in proportion to its size. */
export const capProblem = (text: string, { Lexer: Lex, CST: cst }: Yaml): CapProblem | null => {
  const bad = unprintable.exec(text);
  if (bad) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { offset: bad.index, message: `the character U+${code} may not stand in the file` };
  }
  const state: Scan = { offset: 0, lineStart: 0, indents: [], leading: true, flow: 0, tokens: 0, aliases: 0 };
  let content = false;
  for (const token of new Lex().lex(text)) {
    const type: TokenType = content ? "content" : cst.tokenType(token);
    content = type === "scalar";
    const message = count(state, type);
    if (message) return { offset: Math.min(state.offset, text.length), message };
    // Byte order mark, document and scalar marks stand for no text, except where the mark is in the text itself.
    if (type !== "doc-mode" && type !== "scalar" && type !== "flow-error-end") advance(state, token);
  }
  return null;
};

type Yaml = { Lexer: typeof Lexer; CST: typeof CST };
/** `content` is the text of a scalar, which the lexer hands out behind a mark of its own. */
type TokenType = ReturnType<typeof CST.tokenType> | "content";
type Scan = {
  offset: number;
  lineStart: number;
  /** Columns of the block collections that are open. */
  indents: number[];
  /** Only indentation and indicators so far on this line. */
  leading: boolean;
  flow: number;
  tokens: number;
  aliases: number;
};

const count = (state: Scan, type: TokenType): string | null => {
  if (++state.tokens > caps.tokens) return `the file has more than ${caps.tokens} tokens`;
  switch (type) {
    case "alias":
      if (++state.aliases > caps.aliases) return `the file has more than ${caps.aliases} aliases`;
      break;
    case "flow-map-start":
    case "flow-seq-start":
      state.flow++;
      break;
    case "flow-map-end":
    case "flow-seq-end":
      state.flow = Math.max(0, state.flow - 1);
      break;
    case "seq-item-ind":
    case "explicit-key-ind":
      if (state.leading && state.flow === 0) open(state);
      return tooDeep(state);
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar":
      if (state.leading && state.flow === 0) open(state);
      break;
    case "space":
    case "newline":
    case "anchor":
    case "tag":
    case "doc-mode":
      return null;
  }
  state.leading = false;
  return tooDeep(state);
};

/** A block collection begins, or goes on, in this column. */
const open = (state: Scan): void => {
  const column = state.offset - state.lineStart;
  while ((state.indents.at(-1) ?? -1) >= column) state.indents.pop();
  state.indents.push(column);
};

const tooDeep = ({ indents, flow }: Scan): string | null =>
  indents.length + flow > caps.depth ? `the file is nested deeper than ${caps.depth} levels` : null;

const advance = (state: Scan, token: string): void => {
  state.offset += token.length;
  const newline = token.lastIndexOf("\n");
  if (newline < 0) return;
  state.lineStart = state.offset - (token.length - newline - 1);
  state.leading = true;
};
