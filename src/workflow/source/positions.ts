import type { Document, LineCounter, Node } from "yaml";
import type { Place, Position } from "./problem.ts";

type Yaml = Pick<typeof import("yaml"), "isAlias" | "isMap" | "isScalar" | "isSeq">;
type Source = { text: string; lines: LineCounter; yaml: Yaml };
type Found = { key: Node | null; value: Node | null };

/** Finds the places of a parsed file. What is not there (a missing field) has the place of what should hold it. */
export const positions =
  (document: Document.Parsed, source: Source) =>
  ({ path, on, at }: Place & { at?: number }): Position => {
    let found: Found = { key: null, value: document.contents };
    let complete = true;
    for (const step of path) {
      const next = child(found.value, { step, document, yaml: source.yaml });
      complete &&= next !== undefined;
      if (!next) break;
      found = { key: next.key ?? found.key, value: next.value };
    }
    const value = complete && on === "value" && !isEmpty(found.value) ? found.value : null;
    const offset = value ? offsetIn(value, { at: at ?? 0, source }) : startOf(found.key ?? found.value);
    const { line, col } = source.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };

const startOf = (node: Node | null): number => node?.range?.[0] ?? 0;

/** `key:` with nothing behind it: its value has no text to point at. */
const isEmpty = (node: Node | null): boolean => {
  if (node === null) return true;
  const [start, end] = node.range ?? [0, 0];
  return start === end;
};

const child = (
  parent: Node | null,
  { step, document, yaml }: { step: string | number; document: Document.Parsed; yaml: Yaml },
): Found | undefined => {
  const node = yaml.isAlias(parent) ? parent.resolve(document) : parent;
  if (yaml.isSeq<Node>(node) && typeof step === "number") {
    const item = node.items[step];
    return item && { key: item, value: item };
  }
  if (!yaml.isMap<Node, Node | null>(node)) return undefined;
  const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(step));
  return pair && { key: pair.key, value: pair.value };
};

/** The offset of a character of a scalar's value, where source and value run alike; else the scalar's start. */
const offsetIn = (node: Node, { at, source }: { at: number; source: Source }): number => {
  const start = startOf(node);
  if (!source.yaml.isScalar<unknown>(node) || typeof node.value !== "string") return start;
  if (node.type === "BLOCK_LITERAL") return offsetInBlock(node.value, { start, at, text: source.text });
  const open = node.type === "PLAIN" ? start : start + 1;
  return at > 0 && source.text.startsWith(node.value, open) ? open + at : start;
};

/** Below a `|` every line of the value is a line of the file, behind the same indentation. */
const offsetInBlock = (
  value: string,
  { start, at, text }: { start: number; at: number; text: string },
): number => {
  const before = value.slice(0, at).split("\n");
  let line = text.indexOf("\n", start) + 1;
  if (line === 0) return start;
  const indent = /^(?: *\r?\n)*( *)/.exec(text.slice(line))?.[1]?.length ?? 0;
  for (let passed = 1; passed < before.length; passed++) line = text.indexOf("\n", line) + 1;
  return line + indent + (before.at(-1)?.length ?? 0);
};
